// Tests the scripts of the translator's page without a browser and without WebAssembly. translations_test.mjs and page_test.py test them with the
// engine (`make check-page`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { observed } from '../chapters/11_translator/dom.mjs';
import { make_page } from './live_dom.mjs';

const at = '../../page/scripts/';
globalThis.ResizeObserver = class { observe(element) { observed.push(element); } };
make_page({});
const { filesOf } = await import(`${at}parts.mjs`);
const { Translator } = await import(`${at}translator.mjs`);
const { TranslatorDesk } = await import(`${at}translator_desk.mjs`);
const { beamsOf, pathTo, treeOf } = await import(`${at}tree.mjs`);

const settle = (ms = 5) => new Promise((done) => { setTimeout(done, ms); });
const MODELS = { 'en-de': { title: 'English', examples: ['A dog.', 'Two dogs.'], parts: 2, bytes: [3, 4] }, 'de-en': { title: 'German', examples: ['Ein Hund.'], parts: 1, bytes: [1] } };

// Three steps with two beams: "a" goes on by "b", "c" by "d"; "a b" ends, and at last "c d".
const TREE = [
  [{ parent: 0, text: '\u2581a', log_prob: -0.5, ended: false }, { parent: 0, text: '\u2581c', log_prob: -1, ended: false }],
  [{ parent: 1, text: 'd', log_prob: -0.25, ended: false }, { parent: 0, text: 'b', log_prob: -2, ended: false }],
  [{ parent: 1, text: '<eos>', log_prob: -0.125, ended: true }, { parent: 0, text: '<eos>', log_prob: -3, ended: true }],
];

test('the beams of a tree know their way', () => {
  const steps = beamsOf(TREE);
  assert.deepEqual(steps.flat().map(({ texts, logProb, step, row }) => [texts.join(' '), logProb, step, row]), [['\u2581a', -0.5, 0, 0], ['\u2581c', -1, 0, 1], ['\u2581c d', -1.25, 1, 0],
    ['\u2581a b', -2.5, 1, 1], ['\u2581a b <eos>', -2.625, 2, 0], ['\u2581c d <eos>', -4.25, 2, 1]]);
  assert.deepEqual(pathTo(steps, ['\u2581c', 'd', '<eos>']).map(({ step, row }) => [step, row]), [[0, 1], [1, 0], [2, 1]]);
  assert.deepEqual(pathTo(steps, ['\u2581c', 'x', '<eos>']), []);
  const ended = beamsOf([[{ parent: 0, text: '<eos>', log_prob: -1, ended: true }, { parent: 0, text: 'a', log_prob: -2, ended: false }], [{ parent: 0, text: 'b', log_prob: -3, ended: true }]]);
  assert.deepEqual(ended[1][0].texts, ['a', 'b']); // beams that have ended have no children
});

test('a tree is drawn: a box for each beam, the way of the translation marked, each with its text', () => {
  const svg = treeOf(TREE, ['\u2581c', 'd', '<eos>']);
  const boxes = svg.all('g');
  assert.equal(boxes.length, 7);
  assert.deepEqual(boxes.filter((box) => box.attributes.class.includes('tree-said')).map((box) => box.all('text')[0].textContent), ['<bos>', '␣c', 'd', '<eos>']);
  assert.equal(boxes.filter((box) => box.attributes.class.includes('tree-end')).length, 2);
  assert.match(boxes.find((box) => box.all('text')[0].textContent === 'd').all('title')[0].textContent, /^cd\nthe last piece 78 %, all of it: log probability -1\.25$/);
  assert.match(svg.attributes['aria-label'], /3 steps with at most 2 beams; 2 of them end/);
  assert.equal(svg.all('path').length, 6);
});

test('a model comes in parts, in order, and tells how much has come', async () => {
  const { head } = make_page({});
  const packed = gzipSync('abcdefg');
  const parts = [packed.subarray(0, 9), packed.subarray(9)].map((part) => part.toString('base64'));
  const asked = [], told = [];
  head.append = (script) => {
    asked.push(script.src);
    (globalThis.gradus_parts ??= {})[`en-de.${asked.length - 1}`] = parts[asked.length - 1];
    script.onload();
  };
  const files = await filesOf({ src: 'file:///site/live/translator.js' }, 'en-de', MODELS['en-de'], (share) => told.push(share));
  assert.deepEqual(files.map((file) => new TextDecoder().decode(file)), ['abc', 'defg']);
  assert.deepEqual([asked, told], [['file:///site/live/en-de.0.js', 'file:///site/live/en-de.1.js'], [0, 0.5]]);
  assert.deepEqual(globalThis.gradus_parts, {}); // the texts' memory is free again
});

test('a translator writes files and texts where the engine says, and tells what is wrong', () => {
  const memory = new Uint8Array(64);
  const written = (which) => new TextDecoder().decode(memory.subarray(16 * which, 16 * which + (which === 3 ? 3 : 2)));
  const wasm = {
    HEAPU8: memory, UTF8ToString: (text) => text, problem: '',
    _translate_room: (which) => 16 * which, _translate_load: () => [0, 1, 2].map(written).join(), _translate_problem: () => wasm.problem,
    _translate_text: (beam) => (beam ? `${written(3)} by ${beam}` : 0), _translate_inside: () => '{"text":"x"}',
  };
  const translator = new Translator(wasm, ['ab', 'cd', 'ef'].map((text) => new TextEncoder().encode(text)));
  assert.equal([0, 1, 2].map(written).join(), 'ab,cd,ef');
  assert.equal(translator.translate('dög'.slice(0, 2), 4), 'dö by 4');
  assert.deepEqual(translator.inside(), { text: 'x' });
  wasm.problem = 'no beams';
  assert.throws(() => translator.translate('a', 0), /^Error: no beams$/);
});

// A desk whose models translate by turning letters round. `loads` has the directions that were loaded.
function desk(hash = '', load = async () => {}) {
  const page = make_page({}, hash), loads = [];
  const translatorOf = async (name, told) => {
    loads.push(name);
    told(0.5);
    await load(name);
    let last = '';
    return {
      translate: (text, beam) => { last = `${[...text].reverse().join('')}/${beam}`; },
      inside: () => ({ source: 'source', text: last, warnings: [], tokens: [], source_tokens: [] }),
    };
  };
  const made = new TranslatorDesk(MODELS, translatorOf, page.article);
  return { ...page, made, loads, said: () => page.article.all('p', 'translation').map((one) => one.textContent) };
}

test('the desk begins with an example and its own address', async () => {
  const { made, loads, said, past } = desk();
  await made.busy;
  assert.deepEqual([said(), loads, location.hash, past], [['.god A/5'], ['en-de'], '', []]);
  assert.match(made.status.textContent, /^Translated in \d+ ms\.$/);
  assert.equal(made.progress.hidden, true);
});

test('a link restores direction, beams and text, and what it cannot have is left out', async () => {
  for (const [text, expected] of [['translate=de-en,3:50 % & Hund', ['dnuH & % 05/3', 'de-en']], ['translate=en-fr,99:x', ['x/10', 'en-de']], ['translate=de-en,0:x', ['x/1', 'de-en']]]) {
    const { made, said, past } = desk(`#${encodeURI(text)}`);
    await made.busy;
    assert.deepEqual([said()[0], made.form.direction, past], [...expected, []]); // the page opens as one step of the history
  }
});

test('what is asked for stands in the address, and the back button returns', async () => {
  const { made, said, back } = desk();
  await made.busy;
  made.form.text.value = 'ab\n\n c%20';
  made.form.element.onsubmit({ preventDefault() {} });
  await made.busy;
  assert.deepEqual([said(), decodeURIComponent(location.hash)], [['ba/5', '02%c /5'], '#translate=en-de,5:ab\n\n c%20']);
  back();
  await made.busy;
  assert.deepEqual([said(), made.form.text.value], [['.god A/5'], 'A dog.']);
});

test('another direction brings an example, but leaves the text of the reader', async () => {
  const { made, loads, said } = desk();
  await made.busy;
  const turn = async (name) => {
    for (const input of made.form.directions) input.checked = input.value === name;
    made.form.directions[0].onchange();
    await made.busy;
  };
  await turn('de-en');
  assert.deepEqual([said(), made.form.text.lang], [['.dnuH niE/5'], 'de']);
  made.form.text.value = 'own';
  await turn('en-de');
  assert.deepEqual([said(), loads], [['nwo/5'], ['en-de', 'de-en']]); // each model is loaded once
});

test('only what was asked last is shown, and a model that did not come is loaded again', async () => {
  let fails = true;
  const { made, said, loads } = desk('', async (name) => {
    await settle(name === 'en-de' ? 20 : 1);
    if (name === 'de-en' && fails) throw new Error('de-en.0.js is missing');
  });
  const first = made.busy;
  await made.go({ direction: 'de-en', beam: 2, text: 'x' });
  assert.match(made.status.textContent, /^The translator does not work here: de-en\.0\.js is missing\.$/);
  await first;
  assert.deepEqual(said(), []);
  fails = false;
  await made.go({ direction: 'de-en', beam: 2, text: 'xy' });
  assert.deepEqual([said(), loads], [['yx/2'], ['en-de', 'de-en', 'de-en']]);
});

test('what is too late says nothing: no empty text, and no failure', async () => {
  for (const text of ['', 'late']) {
    const { made, said } = desk('#translate=de-en,1:x', async (name) => {
      await settle(name === 'en-de' ? 20 : 1);
      if (name === 'en-de' && text) throw new Error('too late');
    });
    await made.busy;
    const late = made.go({ direction: 'en-de', beam: 1, text });
    await made.go({ direction: 'de-en', beam: 1, text: 'ab' });
    await late;
    assert.deepEqual(said(), ['ba/1']);
    assert.match(made.status.textContent, /^Translated/);
  }
});

test('Enter translates, and Shift+Enter does not; beams are whole and within their limits', async () => {
  const { made, said } = desk();
  await made.busy;
  made.form.text.value = 'ab';
  made.form.text.fire('keydown', { key: 'Enter', shiftKey: true });
  await made.busy;
  assert.deepEqual(said(), ['.god A/5']);
  for (const [typed, beam] of [['2.6', 3], ['77', 10], ['-4', 1], ['', 5]]) {
    made.form.beam.value = typed;
    made.form.text.fire('keydown', { key: 'Enter' });
    await made.busy;
    assert.deepEqual([said(), made.form.beam.value], [[`ba/${beam}`], String(beam)]);
  }
});
