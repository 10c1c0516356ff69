// Tests the scripts of the page of `gradus serve` without a browser (dom.mjs). serve_page_test.py tests them in one. No two numbers are equal,
// and sizes differ: 3 layers, 2 heads, 5 pieces of the source, 4 of the translation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { make_document, observed } from './dom.mjs';

const at = '../../../app/serve/page/';
make_document();
const { element, percent, readable, scroller, table } = await import(at + 'element.mjs');
const { heat_map } = await import(at + 'heat_map.mjs');
const { shown_sentence } = await import(at + 'sentence.mjs');
const { aligned_words } = await import(at + 'words.mjs');

const weight = (layer, head, i, j) => (1 + 41 * layer + 17 * head + 5 * i + j) / 200;
const tables = (f) => Array.from({ length: 4 }, (_, i) => Array.from({ length: 5 }, (_, j) => f(i, j)));

// "Zwei Hun-de ." of "Two big dog-s": the end mark has no word.
function sentence() {
  return {
    source: 'Two big dogs', text: 'Zwei Hunde', score: -1.23456, token_log_prob: Math.log(0.52),
    source_tokens: ['\u2581Two', '\u2581big', '\u2581dog', 's', '<eos>'],
    tokens: [{ text: '\u2581Zwei' }, { text: '\u2581Hun' }, { text: 'de' }, { text: '<eos>' }],
    warnings: [{ text: 'unsure' }, { text: 'cut' }],
    n_best: [{ text: 'Zwei Hunde', score: -1.23456, token_log_prob: Math.log(0.52) },
      { text: 'Hunde', score: -2.5, token_log_prob: Math.log(0.037) }],
    steps: [{ text: '\u2581Zwei', candidates: [{ text: '\u2581Zwei', probability: 0.91234 }, { text: 'x', probability: 0.0312 }] },
      { text: 'y', candidates: [{ text: '\u2581Hun', probability: 0.6 }, { text: 'y', probability: 0.25 }] }],
    attention: {
      layers: 3, heads: 2, row_words: [0, 1, 1, null], column_words: [0, 1, 2, 2, null],
      mean: [[0.7, 0.03, 0.1, 0.07, 0.1], [0.02, 0.2, 0.3, 0.28, 0.2], [0.04, 0.4, 0.06, 0.3, 0.2], [0.2, 0.2, 0.2, 0.2, 0.2]],
      weights: [0, 1, 2].map((layer) => [0, 1].map((head) => tables((i, j) => weight(layer, head, i, j)))),
    },
  };
}

const texts = (elements) => elements.map((one) => one.textContent);
const weights_of = (spans) => spans.map((span) => span.style.values.get('--weight'));

test('an element has its properties, attributes and children, and texts stay texts', () => {
  const made = element('a', { className: 'x', role: 'region', lang: 'de', 'aria-label': 'name', tabIndex: 0 }, '<b>', element('i', {}, 'in'));
  assert.deepEqual(made.attributes, { role: 'region', lang: 'de', 'aria-label': 'name' });
  assert.deepEqual([made.tag, made.className, made.tabIndex, made.textContent], ['a', 'x', 0, '<b>in']);
  assert.equal(made.role, undefined);
});

test('pieces are readable and shares have one decimal below ten per cent', () => {
  assert.equal(readable('\u2581a\u2581'), '␣a␣');
  assert.deepEqual([0.5, 0.0994, 0.0995, 0.003, 1].map(percent), ['50 %', '9.9 %', '10 %', '0.3 %', '100 %']);
});

test('a frame fades where more follows, when it scrolls and when its size changes', () => {
  const frame = scroller('label', element('p'));
  assert.deepEqual([frame.className, frame.tabIndex, frame.attributes.role, frame.attributes['aria-label']], ['scroller', 0, 'region', 'label']);
  Object.assign(frame, { scrollLeft: 3, clientWidth: 100, scrollWidth: 105 });
  frame.fire('scroll');
  assert.equal(frame.classList.contains('more'), true);
  frame.scrollLeft = 4;  // within a pixel of the end
  const [call, element_of] = observed.at(-1);
  assert.equal(element_of, frame);
  call();
  assert.equal(frame.classList.contains('more'), false);
});

test('a table has a caption, headings of columns, and numbers on the right', () => {
  const made = table('about', ['', 'name', '7'], [['1', 'a', '-2.5'], ['\u22122', '3 %', 'b4']]);
  assert.deepEqual(texts(made.all('caption')), ['about']);
  assert.equal(made.attributes['aria-label'], 'about');
  assert.deepEqual(texts(made.all('th')), ['', 'name', '7']);
  assert.deepEqual(made.all('th').map((cell) => cell.attributes.scope), ['col', 'col', 'col']);
  assert.deepEqual(texts(made.all('td')), ['1', 'a', '-2.5', '\u22122', '3 %', 'b4']);
  assert.deepEqual(made.all('td').map((cell) => cell.className), ['number', '', 'number', 'number', 'number', '']);
  assert.equal(made.all('td')[0].attributes.scope, undefined);
  assert.deepEqual(made.all('tr').map((row) => row.all('td').length), [0, 3, 3]);
});

test('a sentence shows its source, its translation, its warnings, and four parts', () => {
  const made = shown_sentence(sentence(), ['en', 'de'], true);
  assert.deepEqual(made.all('p').slice(0, 4).map((p) => [p.className, p.textContent, p.attributes.lang]),
    [['note', 'Two big dogs', 'en'], ['translation', 'Zwei Hunde', 'de'], ['warning', 'unsure', undefined], ['warning', 'cut', undefined]]);
  assert.deepEqual(texts(made.all('summary')), ['Which word looked at which', 'The beams', 'What it nearly said', 'Attention, by layer and head']);
  assert.deepEqual(made.all('details').map((part) => part.open), [true, true, true, true]);
  assert.deepEqual(made.all('details').map((part) => part.all('p', 'note').length), [1, 0, 1, 1]);
  assert.equal(shown_sentence(sentence(), ['', ''], false).all('details')[2].open, false);
  const bare = { ...sentence(), attention: undefined };
  assert.equal(shown_sentence(bare, ['', ''], true).all('details').length, 0);
});

test('the beams have their place, text, score and the probability of a token', () => {
  const rows = (one) => shown_sentence(one, ['', ''], true).all('details')[1].all('tr').slice(1).map((row) => texts(row.all('td')));
  assert.deepEqual(rows(sentence()), [['1', 'Zwei Hunde', '-1.235', '52 %'], ['2', 'Hunde', '-2.500', '3.7 %']]);
  assert.deepEqual(rows({ ...sentence(), n_best: undefined }), [['1', 'Zwei Hunde', '-1.235', '52 %']]);
});

test('at each place the likeliest tokens stand, and the chosen one is marked', () => {
  const steps = shown_sentence(sentence(), ['', ''], true).all('ol', 'steps')[0];
  assert.deepEqual(steps.all('li').map((step) => texts(step.all('span', 'chip'))), [['␣Zwei 91 %', 'x 3.1 %'], ['␣Hun 60 %', 'y 25 %']]);
  assert.deepEqual(steps.all('span', 'chip').map((chip) => chip.className), ['chip said', 'chip', 'chip', 'chip said']);
  assert.deepEqual(texts(steps.all('strong')), ['␣Zwei', 'y']);
  assert.deepEqual(weights_of(steps.all('span', 'chip')), ['0.9123', '0.0312', '0.6000', '0.2500']);
});

test('pointing at a word shows what belongs to it on the other line', () => {
  const made = aligned_words(sentence(), ['en', 'de']);
  const [source, target] = made.all('p', 'words'), says = made.all('output')[0];
  assert.deepEqual([source, target].map((line) => [line.textContent, line.attributes.lang, line.attributes['aria-label']]),
    [['Two big dogs', 'en', 'Source'], ['Zwei Hunde', 'de', 'Translation, word by word']]);
  const words = [source.all('button'), target.all('button')];
  words[1][1].fire('pointerenter');  // Hunde: the mean of its two pieces, the sum over dog and s
  assert.deepEqual(weights_of(words[0]), ['0.030', '0.300', '0.470']);
  assert.equal(says.textContent, 'Hunde – dogs 47 %, big 30 %');
  assert.deepEqual(words[1].map((word) => word.classList.contains('chosen')), [false, true]);
  words[1][1].fire('pointerleave');
  assert.equal(says.textContent, '');
  assert.deepEqual(weights_of(words[0]), [undefined, undefined, undefined]);
  assert.equal(words[1][1].classList.contains('chosen'), false);
  words[0][0].fire('focus');  // Two
  assert.deepEqual(weights_of(words[1]), ['0.700', '0.030']);
  assert.equal(says.textContent, 'Two – Zwei 70 %');
  words[0][0].fire('blur');
  assert.equal(says.textContent, '');
  words[1][0].fire('click');
  assert.equal(says.textContent, 'Zwei – Two 70 %, dogs 17 %');
  words[0][2].fire('click');  // the mark of the first one is gone
  assert.deepEqual([...words[0], ...words[1]].map((word) => word.classList.contains('chosen')), [false, false, true, false, false]);
});

test('the three strongest words are named, and a word that looks nowhere says so', () => {
  const one = sentence();
  one.attention = { row_words: [0, 1, 1, null], column_words: [0, 1, 2, 3, null],
    mean: [[0.11, 0.4, 0.29, 0.2, 0], [0.02, 0.03, 0.049, 0.04, 0], [0.02, 0.03, 0.049, 0.04, 0], [1, 1, 1, 1, 1]] };
  const made = aligned_words(one, ['', '']), words = made.all('p', 'words')[1].all('button');
  words[0].fire('focus');
  assert.equal(made.all('output')[0].textContent, 'Zwei – big 40 %, dog 29 %, s 20 %');
  words[1].fire('focus');
  assert.equal(made.all('output')[0].textContent, 'Hunde – no word in particular');
  one.attention.mean[1][2] = one.attention.mean[2][2] = 0.05;
  const other = aligned_words(one, ['', '']);
  other.all('p', 'words')[1].all('button')[1].fire('focus');
  assert.equal(other.all('output')[0].textContent, 'Hunde – dog 5 %');
});

test('the table of attention shows the mean of the last layer, or one head of one layer', () => {
  const one = sentence(), made = heat_map(one);
  const [layer, head] = made.all('select'), says = made.all('output')[0];
  assert.deepEqual(texts(layer.all('option')), ['the last, mean of heads', '1', '2', '3']);
  assert.deepEqual(texts(head.all('option')), ['1', '2']);
  assert.deepEqual(layer.all('option').map((option) => option.value), [0, 1, 2, 3]);
  assert.deepEqual(texts(made.all('label', 'inline')).map((text) => text.slice(0, 6)), ['Layer ', 'Head 1']);
  const shown = () => made.all('tr').slice(1).map((row) => row.all('td').map((cell) => Number(cell.style.values.get('--weight'))));
  assert.deepEqual(shown(), one.attention.mean);
  assert.equal(head.disabled, true);
  assert.deepEqual(texts(made.all('th')), ['␣Two', '␣big', '␣dog', 's', '<eos>', '␣Zwei', '␣Hun', 'de', '<eos>']);
  assert.deepEqual(made.all('th').map((cell) => cell.scope), [...Array(5).fill('col'), ...Array(4).fill('row')]);
  assert.equal(made.all('td')[1].textContent, '0.70');
  layer.value = '3', head.value = '1';
  layer.fire('change');
  assert.equal(head.disabled, false);
  assert.deepEqual(shown(), one.attention.weights[2][1]);
  layer.value = '1', head.value = '0';
  head.fire('change');
  assert.deepEqual(shown(), one.attention.weights[0][0]);
  layer.value = '3', head.value = '1';
  layer.fire('change');
  made.all('tr')[2].all('td')[3].fire('pointerenter');
  assert.equal(says.textContent, '␣Hun → s: 54.0 %');
});

// The form: each import of page.mjs begins a page.
const IDS = ['text', 'error', 'answer', 'status', 'beam', 'directions', 'examples', 'form'];
const MODELS = { models: [{ direction: 'en-de', title: 'English to German', examples: ['A dog.', 'Two men.'] },
  { direction: 'de-en', title: 'German to English', examples: ['Ein Hund.'] }], limits: { characters: 321, beam: 7 } };
let pages = 0;

async function begun(models = MODELS) {
  const places = make_document(IDS), asked = [];
  const waiting = [];
  globalThis.fetch = (path, options) => new Promise((answer, fail) => {
    const one = { path, options, answer: (value, ok = true) => answer({ ok, json: async () => value }), fail };
    options?.signal?.addEventListener('abort', () => fail(Object.assign(new Error('aborted'), { name: 'AbortError' })));
    (path === '/models' ? waiting : asked).push(one);
  });
  await import(at + 'page.mjs?' + ++pages);
  waiting[0].answer(models);
  await settle();
  return { places, asked };
}

const settle = () => new Promise((done) => setTimeout(done, 5));

test('the page begins with the directions, the limits, and the examples of the first model', async () => {
  const { places } = await begun();
  assert.deepEqual(places.directions.all('input').map((i) => [i.type, i.name, i.value, i.checked]),
    [['radio', 'direction', 'en-de', true], ['radio', 'direction', 'de-en', false]]);
  assert.deepEqual(texts(places.directions.all('span')), ['English to German', 'German to English']);
  assert.equal(places.text.maxLength, 321);
  assert.deepEqual([places.beam.max, places.beam.value], [7, 5]);
  assert.deepEqual(texts(places.examples.all('button')), ['A dog.', 'Two men.']);
  assert.deepEqual(places.examples.all('button').map((b) => b.attributes.lang), ['en', 'en']);
  assert.equal(places.text.lang, 'en');
  assert.equal(document.activeElement, places.text);
  const [first, second] = places.directions.all('input');
  first.checked = false, second.checked = true;
  places.directions.fire('change');
  assert.deepEqual(texts(places.examples.all('button')), ['Ein Hund.']);
  assert.equal(places.text.lang, 'de');
});

test('a small limit of the beam is its value, and a name that is no pair of languages has none', async () => {
  const { places } = await begun({ models: [{ direction: 'my model', title: 'mine', examples: ['x'] }], limits: { characters: 9, beam: 3 } });
  assert.equal(places.beam.value, 3);
  assert.equal(places.text.lang, '');
});

test('a text is sent with all that the page shows, and the answer is shown without its empty lines', async () => {
  const { places, asked } = await begun();
  places.text.value = 'Two big dogs\n\n', places.beam.value = '4';
  assert.equal(places.form.fire('submit').prevented, true);
  assert.equal(places.status.textContent, 'translating …');
  assert.equal(asked[0].path, '/translate');
  assert.equal(asked[0].options.method, 'POST');
  assert.deepEqual(asked[0].options.headers, { 'Content-Type': 'application/json' });
  assert.deepEqual(JSON.parse(asked[0].options.body),
    { text: 'Two big dogs\n\n', direction: 'en-de', beam: 4, n_best: 4, attention: true, explain: true });
  asked[0].answer({ direction: 'en-de', sentences: [sentence(), { ...sentence(), source: '' }] });
  await settle();
  assert.equal(places.status.textContent, '');
  assert.equal(places.answer.all('article').length, 1);
  assert.deepEqual(places.answer.all('details').map((d) => d.open), [false, false, false, false]);  // there were two lines
  assert.deepEqual(places.answer.all('p').slice(0, 2).map((p) => p.attributes.lang), ['en', 'de']);
  places.form.fire('submit');
  asked[1].answer({ direction: 'en-de', sentences: [sentence()] });
  await settle();
  assert.equal(places.answer.all('details')[0].open, true);
});

test('an error of the server takes the place of the answer, and the next request removes it', async () => {
  const { places, asked } = await begun();
  places.form.fire('submit');
  asked[0].answer({ direction: 'en-de', sentences: [sentence()] });
  await settle();
  places.form.fire('submit');
  asked[1].answer({ error: 'too long' }, false);
  await settle();
  assert.deepEqual([places.error.textContent, places.error.hidden, places.status.textContent], ['too long', false, '']);
  assert.equal(places.answer.children.length, 0);
  places.form.fire('submit');
  assert.deepEqual([places.error.textContent, places.error.hidden], ['', true]);
  asked[2].fail(new TypeError('network'));
  await settle();
  assert.equal(places.error.textContent, 'gradus serve does not answer; is it still running?');
});

test('a later request replaces the one before it, whose end changes nothing', async () => {
  const { places, asked } = await begun();
  places.form.fire('submit');
  places.form.fire('submit');
  await settle();
  assert.equal(asked[0].options.signal.aborted, true);
  assert.equal(asked[1].options.signal.aborted, false);
  assert.deepEqual([places.status.textContent, places.error.textContent], ['translating …', '']);
  asked[1].answer({ direction: 'en-de', sentences: [sentence()] });
  await settle();
  assert.equal(places.answer.all('article').length, 1);
});

test('Enter sends, and with Shift or while a character is composed it does not', async () => {
  const { places, asked } = await begun();
  for (const event of [{ key: 'a' }, { key: 'Enter', shiftKey: true }, { key: 'Enter', isComposing: true }])
    assert.equal(places.text.fire('keydown', event).prevented, false);
  assert.equal(asked.length, 0);
  assert.equal(places.text.fire('keydown', { key: 'Enter', shiftKey: false, isComposing: false }).prevented, true);
  assert.equal(asked.length, 1);
});

test('an example is put into the field and translated', async () => {
  const { places, asked } = await begun();
  places.examples.all('button')[1].fire('click');
  assert.equal(places.text.value, 'Two men.');
  assert.equal(JSON.parse(asked[0].options.body).text, 'Two men.');
});

test('a page of attention names the pieces and the share of the square below the pointer', () => {
  const source = readFileSync(new URL('../../../chapters/11_translator/pictures/attention_style.cpp', import.meta.url), 'utf8');
  const script = source.match(/attention_script =\s*R"\(([^]*?)\)";/)[1];
  make_document();
  const says = element('output'), area = element('g'), chosen = { name: 'a1k0', className: 'm2-1' };
  const values = [[1000, 20, 3], [456, 7, 0]].map((row) => row.map((n) => n.toString(36).padStart(2, '0')).join('')).join('');
  const tile = { parentNode: area, getBoundingClientRect: () => ({ left: 10, top: 100, width: 60, height: 20 }) };
  const figure = { dataset: { rows: 'eins\nzwei', columns: 'one\ntwo\nthree' }, closest: (name) => ({ querySelector: (words) => (name === '.panel' && words === 'input:checked' ? chosen : null) }),
    querySelector: (words) => ({ '.table .tile': tile, output: says })[words] };
  document.querySelectorAll = (words) => (words === '.attention .large' ? [figure] : []);
  document.getElementById = (id) => (id === 'a1k0m2-1' ? { dataset: { weights: values } } : null);
  new Function(script)();
  const at = (clientX, clientY) => { area.fire('pointermove', { clientX, clientY }); return says.textContent; };
  assert.deepEqual([at(10, 100), at(49, 109), at(51, 101), at(11, 111), at(30, 119), at(999, 999), at(0, 0)],
    ['eins → one: 100.0 %', 'eins → two: 2.0 %', 'eins → three: 0.3 %', 'zwei → one: 45.6 %', 'zwei → two: 0.7 %', 'zwei → three: 0.0 %', 'eins → one: 100.0 %']);
  area.fire('pointerleave');
  assert.equal(says.textContent, '');
});

test('if the models cannot be read, the page says why', async () => {
  const places = make_document(IDS);
  globalThis.fetch = async () => ({ ok: false, json: async () => ({ error: 'no models' }) });
  await import(at + 'page.mjs?' + ++pages);
  await settle();
  assert.deepEqual([places.error.textContent, places.error.hidden], ['no models', false]);
});
