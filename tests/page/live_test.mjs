// Tests the scripts of the live lessons without a browser and without WebAssembly: the engine is a box of a few lines. numbers_test.mjs and
// page_test.py test them with the lessons' own engine (`make check-page`). No two sizes and no two numbers of the box are equal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { make_page } from './live_dom.mjs';

make_page({});
const at = '../../page/scripts/';
const { bound, printed, reference } = await import(`${at}block.mjs`);
const { Cells } = await import(`${at}cells.mjs`);
const { checked, distance, note } = await import(`${at}check.mjs`);
const { Desk, differ, isWritten, written } = await import(`${at}desk.mjs`);
const { lessonsOf } = await import(`${at}engine.mjs`);
const { watch } = await import(`${at}influence.mjs`);
const { start } = await import(`${at}main.mjs`);
const { formulaOf } = await import(`${at}formula.mjs`);
const { formatOf, sentence, shown, typed, whole } = await import(`${at}number.mjs`);
const { makeLive } = await import(`${at}page.mjs`);
const { terms } = await import(`${at}terms.mjs`);

const X = [0.5, -2, 0.125, 3, 0.25, -1], W = [1.5, -0.5, 2], SEED = [1, 0, 0.5, 0, 2, 0];
const WORDS = ['<pad>', '<eos>', 'dog', 'cat', 'bird'];

// y = w x² of two rows and three columns; sum: of each row of y; likeliest: a word for each row; says: two words.
function box(given, way) {
  const [x, w, dy] = [given.slice(0, 6), given.slice(6, 9), given.slice(9, 15)];
  if (x.some((value) => value > 100)) throw new Error('a number is too large');
  const y = x.map((value, i) => w[i % 3] * value * value);
  const dx = x.map((value, i) => 2 * w[i % 3] * value * dy[i] * (way === 1 ? 0.5 : 1));
  const dw = w.map((_, j) => [0, 3].reduce((sum, row) => sum + dy[row + j] * x[row + j] ** 2, 0));
  const sum = [y[0] + y[1] + y[2], y[3] + y[4] + y[5]];
  return [...y, ...sum, sum[0] > 5 ? 2 : 3, 4, x[0] > 1 ? 1 : 4, x[1] > 0 ? 3 : 1, ...dx, ...dw];
}

const DESCRIBED = {
  chapter: '98_box', ways: ['', 'half-gradient'],
  given: [{ name: 'x', part: 'input', shape: [2, 3], numbers: X }, { name: 'w', part: 'parameter', shape: [3], numbers: W },
    { name: 'dy', part: 'seed', shape: [2, 3], numbers: SEED }],
  computed: [{ name: 'y', part: 'output', shape: [2, 3] }, { name: 'sum', part: 'shown', shape: [2] }, { name: 'likeliest', part: 'shown', shape: [2, 1] },
    { name: 'says', part: 'shown', shape: [2] }, { name: 'dx', part: 'gradient', shape: [2, 3] }, { name: 'dw', part: 'gradient', shape: [3] }],
};

// The functions of the engine. The box is its second lesson; the memory of a lesson begins at 64 doubles for each one before it.
function engine() {
  const memory = new Float64Array(256), calls = [];
  const base = (lesson) => 64 * (lesson + 1);
  const given = (lesson) => [...memory.slice(base(lesson), base(lesson) + 15)];
  return {
    calls, HEAPF64: memory,
    UTF8ToString: (text) => text,
    _live_describe: () => JSON.stringify({ lessons: [{ ...DESCRIBED, chapter: '97_other', ways: [''] }, DESCRIBED] }),
    _live_given: (lesson) => 8 * base(lesson),
    _live_computed: (lesson) => 8 * (base(lesson) + 15),
    _live_run(lesson, way) {
      try {
        memory.set(box(given(lesson), way), base(lesson) + 15);
      } catch (error) { return error.message; }
      return '';
    },
    _live_slopes(lesson, way, step) {
      calls.push([lesson, way, step]);
      const values = given(lesson), seed = values.slice(9);
      const loss = (at, by) => box(values.map((value, i) => (i === at ? value + by : value)), way).slice(0, 6).reduce((sum, y, i) => sum + y * seed[i], 0);
      try {
        memory.set(values.map((_, i) => (i < 9 ? (loss(i, step) - loss(i, -step)) / (2 * step) : 0)), 1);
      } catch { return 0; }
      return 8;
    },
  };
}

const begun = () => lessonsOf(engine()).get('98_box');
const near = (found, expected, what) => {
  assert.equal(found.length, expected.length, what);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-6, `${what} ${i}: ${value}, not ${expected[i]}`));
};
const settle = (ms = 3) => new Promise((done) => setTimeout(done, ms));

const BLOCKS = {
  forward: 'x (N, D)\n  dog     0.50  -2.00   0.12\n  cat     3.00   0.25  -1.00\nw (D)\n        1.50  -0.50   2.00\nthe sums are -1.59 and 15.469, not 7.00\nother words 1.00',
  backward: 'says: bird\nafter dog: cat\ndx (N, D)\n          1.50   0.00   0.25\n          0.00  -0.50   0.00',
};
const DESCRIPTION = {
  words: { english: WORDS },
  blocks: { forward: [['x (N, D)', 'x'], ['w (D)', 'w'], ['the sums are {sum[0]} and {sum[1]}, not 7.00']],
    backward: [['says: {says:english}'], ['after dog: {likeliest[0,0]:english}'], ['dx (N, D)', 'dx']] },
  more: { after: 'backward', title: 'All', tensors: [['dy (N, D)', 'dy', ['dog', 'cat']], ['dw (D)', 'dw']] },
  formulas: { sum: 'sum(k < 3: w[k] * x[j,k]^2)', dx: { is: '2 * g(i,j) * x[i,j]', where: { 'g(a,b)': 'w[b] * dy[a,b]' } } },
  mistakes: { 'half-gradient': { words: 'The gradient is halved.', judges: ['finite-differences', '-golden', 'dual-numbers', '-parity', 'contract'] } },
};

test('a lesson has its tensors, their places and its numbers, and runs on its own memory', () => {
  const lessons = lessonsOf(engine()), lesson = lessons.get('98_box');
  assert.deepEqual([...lessons.keys()], ['97_other', '98_box']);
  assert.deepEqual([...lesson.tensors.values()].map(({ name, first, size, isGiven }) => [name, first, size, isGiven]),
    [['x', 0, 6, true], ['w', 6, 3, true], ['dy', 9, 6, true], ['y', 0, 6, false], ['sum', 6, 2, false], ['likeliest', 8, 2, false], ['says', 10, 2, false],
      ['dx', 12, 6, false], ['dw', 18, 3, false]]);
  assert.deepEqual([...lesson.start], [...X, ...W, ...SEED]);
  const moved = lesson.start.slice();
  moved[2] = 4;
  for (const [values, way] of [[lesson.start, 0], [moved, 1]]) near([...lesson.run(values, way)], box([...values], way), 'run');
  near([...lesson.run(moved)], box([...moved], 0), 'the right way');
  near([...lessons.get('97_other').run(lesson.start)], box([...lesson.start], 0), 'the other lesson');
  moved[0] = 101;
  assert.throws(() => lesson.run(moved), /^Error: a number is too large$/);
  assert.throws(() => lesson.slopes(moved, 0, 1e-5), /a step of the finite differences cannot be computed/);
  near([...lesson.slopes(lesson.start, 1, 1e-5)], [1.5, 0, 0.25, 0, -0.5, 0, 0.25, 0.125, 0.0078125, 0, 0, 0, 0, 0, 0], 'slopes');
});

test('a reference is a tensor, a row or a number of it', () => {
  const lesson = begun(), rows = (text) => reference(lesson, text).rows;
  assert.deepEqual(rows('x'), [[0, 1, 2], [3, 4, 5]]);
  assert.deepEqual([rows('x[1]'), rows('x[1,2]'), rows('w'), rows('w[1]')], [[[3, 4, 5]], [[5]], [[0, 1, 2]], [[1]]]);
  for (const text of ['z', 'x[', 'x[0']) assert.throws(() => reference(lesson, text), new RegExp(`no tensor ${text.replace('[', '\\[')} in 98_box`));
});

test('the numbers of a block are cut out, and everything else stays text', () => {
  const lesson = begun(), lines = bound(lesson, BLOCKS.forward, DESCRIPTION.blocks.forward);
  const shown = lines.map(({ pieces }) => pieces.map((piece) => (typeof piece === 'string' ? piece : [piece.tensor.name, piece.place, piece.text, piece.lead])));
  assert.deepEqual(shown, [['x (N, D)'],
    ['  dog  ', ['x', 0, '0.50', 3], '', ['x', 1, '-2.00', 2], '', ['x', 2, '0.12', 3], ''],
    ['  cat  ', ['x', 3, '3.00', 3], '', ['x', 4, '0.25', 3], '', ['x', 5, '-1.00', 2], ''],
    ['w (D)'], ['     ', ['w', 0, '1.50', 3], '', ['w', 1, '-0.50', 2], '', ['w', 2, '2.00', 3], ''],
    ['the sums are ', ['sum', 0, '-1.59', 0], ' and ', ['sum', 1, '15.469', 0], ', not 7.00'], ['other words 1.00']]);
  assert.deepEqual(lines.map((line) => line.after?.name ?? null), [null, null, 'x', null, 'w', null, null]);
  const one = bound(lesson, 'row\n 9.00 3.00 nan -inf', [['row', 'x[1]']]);  // as many numbers as the row has, the last ones
  assert.deepEqual([one[1].pieces[0], one[1].after], [' 9.00', null]);
  assert.deepEqual(one[1].pieces.filter((piece) => piece.tensor).map((piece) => piece.text), ['3.00', 'nan', '-inf']);
  assert.throws(() => bound(lesson, 'x\n 1.00', [['x', 'x']]), /" 1.00" has not 3 numbers/);
  assert.throws(() => bound(lesson, 'the sums are -1.59 and 11.47, not 7.00 .', [DESCRIPTION.blocks.forward[2]]), /98_box: no line "the sums/);
});

test('a number may be shown as a word, or a tensor as a sentence', () => {
  const lesson = begun(), lines = bound(lesson, BLOCKS.backward, DESCRIPTION.blocks.backward, DESCRIPTION.words);
  const [says, likeliest] = lines.map(({ pieces }) => pieces[1]);
  assert.deepEqual([says.text, says.isSentence, says.words, says.tensor.name], ['bird', true, WORDS, 'says']);
  assert.deepEqual([likeliest.text, likeliest.isSentence, likeliest.words, likeliest.place], ['cat', false, WORDS, 0]);
});

test('a tensor is printed as a demo prints it', () => {
  const lesson = begun(), format = (x) => x.toFixed(2);
  assert.deepEqual(printed(lesson.tensors.get('dy'), 'title', lesson.start, ['dog'], format),
    ['title', '  dog        1.00   0.00   0.50', '             0.00   2.00   0.00']);
  assert.deepEqual(printed(lesson.tensors.get('w'), 'w', lesson.start, null, format), ['w', '             1.50  -0.50   2.00']);
});

test('numbers are printed as C prints them', () => {
  const printed = [[0.125, 2, '0.12'], [0.375, 2, '0.38'], [-0.125, 2, '-0.12'], [-0.0, 2, '0.00'], [-0.001, 2, '-0.00'], [2.5, 0, '2'], [1e-6, 5, '0.00000'],
    [NaN, 2, 'nan'], [Infinity, 2, 'inf'], [-Infinity, 2, '-inf'], [123456, 2, '1.2e5'], [99999.994, 2, '99999.99']];
  for (const [x, places, expected] of printed) assert.equal(shown(x, places), expected);
  assert.deepEqual([-0, 0.1, 1e-7].map(whole), ['0', '0.1', '1e-7']);
  const likewise = [['1', 0.6, '1'], ['0.25', 3, '3.00'], ['-1.234', 2, '2.000'], ['0.0e+00', 0.00123, '1.2e-03'], ['3.2e-12', NaN, 'nan'], ['1.0e+10', 0, '0.0e+00'], ['nan', 2, '2.00']];
  for (const [text, x, expected] of likewise) assert.equal(formatOf(text)(x), expected);
});

test('a formula gives a number with its terms', () => {
  const lesson = begun(), format = (x) => x.toFixed(1);
  const at = (entry, i, j) => formulaOf(lesson, entry, (tensor, place) => lesson.start[tensor.first + place], format).at(i, j);
  const cases = [['x[i,j]', 1, 2, -1, '-1.0'], ['2 * w[j] - x[i,1]', 0, 1, 1, '2·(-0.5) - (-2.0)'], ['x[i,j]^2 / w[0]', 1, 0, 6, '3.0^2 / 1.5'],
    ['(w[0] + w[1]) * w[2]', 0, 0, 2, '(1.5 + (-0.5))·2.0'], ['w[2] - (w[0] - w[1])', 0, 0, 0, '2.0 - (1.5 - (-0.5))'], ['w[0] - w[1] - w[2]', 0, 0, 0, '1.5 - (-0.5) - 2.0'],
    ['sum(k < 3: w[k])', 0, 0, 3, '1.5 + (-0.5) + 2.0'], ['sum(k < 3: if(k = 1, 0, w[k])) * 2', 0, 0, 7, '(1.5 + 2.0)·2'], ['if(i < j, 1, relu(w[1]) + max(2, j))', 2, 1, 2, 'relu(-0.5) + max(2, 1)'],
    ['-w[1] + sqrt(4) + exp(0) + abs(w[1]) + cos(0) + sin(0)', 0, 0, 5, '-(-0.5) + sqrt(4) + exp(0) + abs(-0.5) + cos(0) + sin(0)'],
    [{ is: 'f(2) * w[ids(i)]', where: { 'f(a)': 'a * w[a]', 'ids(n)': [2, 0] } }, 1, 0, 6, '4.0·1.5'], ['sum(k < 3: if(k < 3, 0, w[k]))', 0, 0, 0, '0'], ['1e-5 * 2', 0, 0, 2e-5, '0.00001·2']];
  for (const [entry, i, j, value, text] of cases) {
    const found = at(entry, i, j);
    assert.ok(Math.abs(found.value - value) < 1e-12, `${entry.is ?? entry}: ${found.value}`);
    assert.equal(found.text, text);
  }
  for (const [wrong, message] of [['x[i', /is wrong/], ['x[i,j] )', /is wrong before "\)"/], ['w[j] $', /is wrong at " \$"/], ['z[j]', /no z\[0\]/], ['w[i,j]', /no w/], ['k', /no index k/], ['s(1)', /no s/],
    ['if(i > j, 1, 2)', /wrong/], ['* 2', /wrong/]]) assert.throws(() => at(wrong, 0, 0), message);
});

test('what a reader types is a number, or nothing', () => {
  for (const [typing, expected] of [['1', 1], [' -2.5 ', -2.5], ['\u22123', -3], ['.5', 0.5], ['5.', 5], ['1e-3', 0.001], ['0,5', 0.5], ['+7', 7]]) assert.equal(typed(typing), expected);
  for (const typing of ['', '-', '1e999', '0x10', '1 2', 'nan', '1,2,3']) assert.equal(typed(typing), null);
});

test('numbers of words are a sentence up to the end mark', () => {
  assert.deepEqual([[2, 4, 1, 3], [3, 2], [1, 2]].map((ids) => sentence(ids, WORDS)), ['dog bird', 'cat dog', '']);
});

test('the text of a state restores it, and what is unknown is left out', () => {
  const lesson = begun(), desk = new Desk(lesson);
  assert.equal(written(desk), '');
  assert.equal(desk.isChanged, false);
  desk.values[7] = 1e-7, desk.values[13] = -0.75;
  assert.equal(desk.isChanged, true);
  Object.assign(desk, { way: 1, checks: true });
  assert.equal(written(desk), 'live=w.1:1e-7,dy.4:-0.75&mistake=half-gradient&check');
  const other = new Desk(lesson);
  other.restore(written(desk));
  assert.deepEqual([[...other.values], other.way, other.checks], [[...desk.values], 1, true]);
  other.restore('live=x.6:1,x.5:9,y.0:2,w.0:x,w.2:Infinity,dy.1:-4&mistake=unknown');
  assert.equal(written(other), 'live=x.5:9,dy.1:-4');
  other.restore('mistake=half-gradient');
  assert.equal(other.isChanged, true);
  other.reset();
  assert.deepEqual([written(other), other.isChanged], ['', false]);
  assert.deepEqual(['live=x.3:2', 'check', 'mistake=a', 'checked', 'the-check', 'eq-5.7', ''].map(isWritten), [true, true, true, false, false, false, false]);
  assert.deepEqual([[1, 1], [NaN, NaN], [1, 1 + 1e-11], [1e6, 1e6 + 1e-7], [0, 1e-13], [0, 2e-12], [0, -0]].map(([a, b]) => differ(a, b)),
    [false, false, true, false, false, true, false]);
});

test('gradients are compared with slopes, the best of two steps, and a wrong one is named', () => {
  const lesson = begun(), desk = new Desk(lesson), calls = lesson.wasm.calls;
  desk.compute();
  const right = checked(desk);
  assert.deepEqual(right.map((one) => [one.gradient.name, one.given.name, one.isRight]), [['dx', 'x', true], ['dw', 'w', true]]);
  assert.deepEqual(calls, [[1, 0, 1e-5]]);  // the first step is enough
  desk.way = 1;
  desk.compute();
  desk.check();
  assert.deepEqual(desk.verdicts.map((one) => [one.gradient.name, one.isRight]), [['dx', false], ['dw', true]]);
  assert.ok(Math.abs(desk.verdicts[0].distance - 0.5) < 1e-6);
  assert.deepEqual(calls.slice(1), [[1, 1, 1e-5], [1, 1, 1e-6]]);
  const slopes = lesson.slopes;
  lesson.slopes = (values, way, step) => slopes.call(lesson, values, 0, step).map((value, i) => value + (step === 1e-5 ? i === 0 : i === 6));
  desk.way = 0;
  desk.compute();
  assert.deepEqual(checked(desk).map((one) => one.isRight), [true, true]);  // each gradient by another step
  for (const [error, isRight] of [[0.9e-6, true], [1.1e-6, false]]) {  // beside the largest number of x, 1.5
    lesson.slopes = (values, way, step) => slopes.call(lesson, values, 0, step).map((value, i) => value + (i === 4 ? 1.5 * error : 0));
    assert.deepEqual(checked(desk).map((one) => one.isRight), [isRight, true]);
  }
  assert.deepEqual([distance([2, 0], [1, 0], 2), distance([1e-4], [0], 1), distance([0], [0], 0), distance([-4, 1], [-4, 3], 1), distance([NaN], [1], 1)],
    [0.5, 0.1, 0, 0.5, NaN]);
});

test('below a gradient stand its slopes with their distance', () => {
  const lesson = begun(), [gradient, given] = ['dw', 'w'].map((name) => lesson.tensors.get(name));
  const slopes = Float64Array.from({ length: 15 }, (_, i) => i + 0.25);
  const made = (distance, isRight) => note({ gradient, given, slopes, distance, isRight });
  assert.equal(made(0.0123, false).textContent, '✗ dw by finite differences (1e-2)\n             6.25   7.25   8.25\n');
  assert.equal(made(0, true).textContent.split('\n')[0], '✓ dw by finite differences (0)');
  assert.deepEqual([made(1, true), made(1, false)].map((one) => one.all('span')[0].className), ['live-right', 'live-wrong']);
});

function live(blocks = BLOCKS, hash = '', description = DESCRIPTION) {
  const page = make_page(blocks, hash), lesson = begun();
  const made = makeLive(lesson, description);
  const bar = page.article.all('section', 'live-bar')[0];
  const [reset, check, link] = bar.all('button');
  const cell = (name) => page.article.all('*').find((one) => one.dataset.live === name);
  const text = (name) => (cell(name).tag === 'input' ? cell(name).value : cell(name).textContent);
  const type = (name, value) => {
    const field = cell(name);
    document.activeElement = field;
    field.fire('focus');
    field.value = value;
    field.fire('input');
  };
  const leave = (name) => { document.activeElement = null, cell(name).fire('blur'); };
  const marked = () => [...new Set(page.article.all('*').filter((one) => one.classList.contains('live-changed')).map((one) => one.dataset.live))];
  return { ...page, made, lesson, bar, reset, check, link, cell, text, type, leave, marked, status: bar.all('p', 'live-status')[0], why: bar.all('p', 'live-why')[0],
    select: bar.all('select')[0] };
}

test('a page begins with the printed numbers: given ones are fields, and further tensors stand behind a block', () => {
  const page = live();
  const copy = (one) => (one.tag === 'input' ? one.value.padStart(one.style.values.get('--width')) : one.children?.length ? one.children.map(copy).join('') : one.textContent);
  const pres = page.article.all('pre');
  assert.equal(copy(pres[0]).replace(/ +/g, ' '), `${BLOCKS.forward}\n`.replace(/ +/g, ' '));
  assert.deepEqual(page.article.children.map((one) => [one.tag, one.className]), [['div', 'block'], ['div', 'block'], ['details', 'live-more'], ['section', 'live-bar'], ['div', 'live-terms']]);
  const more = page.article.children[2];
  assert.equal(more.all('summary')[0].textContent, 'All');
  assert.deepEqual(more.all('input').map((one) => [one.dataset.live, one.value]), SEED.map((value, i) => [`dy.${i}`, value.toFixed(2)]));
  assert.deepEqual(['dw.0', 'dw.1', 'dw.2'].map(page.text), ['0.25', '0.12', '0.01']);
  assert.deepEqual([page.text('sum.0'), page.text('sum.1'), page.text('says.0'), page.text('likeliest.0')], ['-1.59', '15.469', 'bird', 'cat']);
  assert.deepEqual([page.cell('x.0').tag, page.cell('sum.0').tag, page.cell('dx.0').tag], ['input', 'span', 'span']);
  assert.deepEqual(['x.5', 'dx.4', 'sum.1'].map((name) => page.cell(name).className), ['live-number live-field live-input', 'live-number live-gradient', 'live-number live-shown']);
  assert.deepEqual(['x.5', 'w.1', 'dy.4'].map((name) => page.cell(name).attributes['aria-label']), ['x, cat, 3', 'w, 2', 'dy, cat, 2']);
  assert.deepEqual(['x.0', 'x.1', 'sum.1'].map((name) => ['--width', '--lead'].map((key) => page.cell(name).style.values.get(key))), [['7', '1'], ['7', '1'], ['6', '0']]);
  assert.deepEqual(['says.0', 'sum.0'].map((name) => page.cell(name).classList.contains('live-word')), [true, false]);
  assert.deepEqual(pres.map((pre) => pre.classList.contains('live')), [true, true, true]);
  assert.deepEqual([page.marked(), page.reset.disabled, page.check.attributes['aria-pressed'], page.why.hidden, page.select.value], [[], true, 'false', true, '']);
  assert.match(page.status.textContent, /^These numbers are live/);
  assert.throws(() => live({ forward: BLOCKS.forward }), /no block "backward"/);
});

test('a number that is typed changes what depends on it, is marked, and is one step of the address', () => {
  const page = live();
  page.type('x.0', '2');
  assert.deepEqual([page.text('sum.0'), page.text('dx.0'), page.text('dw.0'), page.text('says.0')], ['4.03', '6.00', '4.00', '']);
  assert.deepEqual(page.marked(), ['x.0', 'sum.0', 'says.0', 'dx.0', 'dw.0']);
  assert.equal(page.status.textContent, 'You changed 1 number; 4 numbers followed.');
  assert.equal(page.reset.disabled, false);
  assert.deepEqual([page.cell('sum.0').flashes, page.cell('sum.1').flashes, page.cell('says.0').flashes], [1, 0, 1]);
  page.type('x.0', '2,5');
  assert.deepEqual([page.past, page.text('dx.0'), page.text('x.0')], [['#live=x.0:2.5'], '7.50', '2,5']);
  page.leave('x.0');
  assert.equal(page.text('x.0'), '2.50');
  page.type('x.4', '0');
  page.leave('x.4');
  assert.deepEqual(page.past, ['#live=x.0:2.5', '#live=x.0:2.5,x.4:0']);
  assert.equal(page.status.textContent, 'You changed 2 numbers; 8 numbers followed.');
  page.type('x.1', '2'), page.leave('x.1');  // the first of its words stays
  assert.equal(page.text('says.0'), '');
  page.type('x.0', 'two');
  assert.equal(page.cell('x.0').attributes['aria-invalid'], 'true');
  assert.equal(page.text('dx.0'), '7.50');
  page.leave('x.0');
  assert.equal(page.cell('x.0').attributes['aria-invalid'], undefined);
  page.reset.onclick();
  assert.deepEqual([page.marked(), page.past.at(-1), location.hash, page.text('x.0')], [[], '/lesson.html?q', '', '0.50']);
  page.type('x.1', '2');  // of its words only the last one differs
  assert.deepEqual([page.text('says.0'), page.marked().includes('says.0')], ['bird cat', true]);
});

test('a field shows all digits while it is edited, and keys move its number', () => {
  const page = live(), field = page.cell('x.2');
  document.activeElement = field;
  field.fire('focus');
  assert.deepEqual([field.value, field.selected], ['0.125', 1]);
  const press = (key, shiftKey = false) => [field.fire('keydown', { key, shiftKey }).prevented, field.value, page.made.desk.values[2]];
  assert.deepEqual(press('ArrowUp'), [true, '0.225', 0.225]);
  assert.deepEqual(press('ArrowDown', true), [true, '-0.775', -0.775]);
  assert.deepEqual(press('ArrowDown'), [true, '-0.875', -0.875]);
  assert.deepEqual(press('Escape'), [true, '0.125', 0.125]);
  assert.deepEqual([...press('Enter'), field.selected], [true, '0.125', 0.125, 2]);
  assert.deepEqual(press('a'), [false, '0.125', 0.125]);
  assert.equal(page.text('dx.2'), '0.25');
});

test('a mistake is chosen, explained with its judges, and seen by finite differences', async () => {
  const page = live();
  page.select.value = 'half-gradient';
  page.select.onchange();
  assert.equal(location.hash, '#mistake=half-gradient');
  assert.deepEqual([page.text('dx.0'), page.text('dx.4')], ['0.75', '-0.25']);
  assert.equal(page.why.hidden, false);
  assert.equal(page.why.textContent, 'The gradient is halved. Rejected by finite differences, dual numbers and the contract of a leaf. '
    + 'Not seen by golden values and parity of the devices.');
  assert.equal(page.status.textContent, 'The mistake changes 3 numbers.');
  page.check.onclick();
  await settle();
  assert.equal(page.status.textContent, 'The mistake changes 3 numbers. Finite differences disagree with dx.');
  assert.equal(location.hash, '#mistake=half-gradient&check');
  assert.equal(page.check.attributes['aria-pressed'], 'true');
  assert.deepEqual(page.article.all('span', 'live-wrong').map((one) => one.textContent), ['✗ dx by finite differences (5e-1)']);
  assert.deepEqual(page.article.all('span', 'live-right').map((one) => one.textContent.slice(0, 4)), ['✓ dw']);
  page.type('x.0', '0.75'), page.leave('x.0');
  await settle();
  assert.equal(page.status.textContent, 'You changed 1 number; with that and the mistake 5 numbers followed. Finite differences disagree with dx.');
  page.reset.onclick();
  assert.deepEqual([page.article.all('span', 'live-wrong').length, page.why.hidden, page.select.value, page.past.length], [0, true, '', 4]);
  page.check.onclick();
  await settle();
  assert.equal(page.status.textContent, 'Finite differences agree with every gradient.');
  for (const name of ['dy.0', 'dy.2', 'dy.4']) page.type(name, '0'), page.leave(name);
  page.select.value = 'half-gradient';
  page.select.onchange();
  page.check.onclick();
  for (const name of ['dy.0', 'dy.2', 'dy.4']) page.made.desk.lesson.start[9 + Number(name.slice(3))] = 0;
  delete page.made.desk.atStart;
  page.made.draw();
  assert.equal(page.status.textContent, 'With these numbers the mistake changes nothing: change some.');
});

test('what cannot be computed is said, and the numbers before it stay', () => {
  const page = live();
  page.type('x.1', '101');
  assert.equal(page.status.textContent, 'a number is too large');
  assert.equal(page.text('sum.0'), '-1.59');
});

test('an address restores its state, back follows it, and the name of a part of the page changes nothing', async () => {
  const page = live(BLOCKS, '#live=w.0:3&check');
  assert.deepEqual([page.text('w.0'), page.text('dx.0')], ['3.00', '3.00']);
  await settle();
  assert.match(page.status.textContent, /^You changed 1 number; 3 numbers followed\. Finite differences agree/);
  assert.deepEqual(page.past, []);
  const broken = live(BLOCKS, '#mistake=half-gradient');
  assert.deepEqual([broken.select.value, broken.marked()], ['half-gradient', ['dx.0', 'dx.2', 'dx.4']]);
  location.hash = '#the-backward-pass';
  page.fire('hashchange');
  assert.equal(page.text('w.0'), '3.00');
  location.hash = '#live=w.0%3A4';
  page.fire('popstate');
  assert.equal(page.text('w.0'), '4.00');
  location.hash = '';
  page.fire('popstate');
  assert.deepEqual([page.text('w.0'), page.marked()], ['1.50', []]);
  const other = live(BLOCKS, '#eq-5.7');
  assert.equal(other.text('dx.0'), '1.50');
});

test('the engine of the mistakes is loaded when one is asked for', async () => {
  const page = make_page(BLOCKS, ''), lesson = begun(), right = lesson.wasm;
  right._live_run = (run => (index, way) => (way ? 'it has no mistakes' : run(index, way)))(right._live_run.bind(right));
  let asked = 0, fails = true;
  makeLive(lesson, DESCRIPTION, async () => { asked += 1; if (fails) throw new Error('mistakes.js is missing'); return engine(); });
  const select = page.article.all('select')[0], status = page.article.all('p', 'live-status')[0];
  const choose = async () => { select.value = 'half-gradient', select.onchange(), await settle(); };
  await choose();
  assert.deepEqual([asked, status.textContent, select.value], [1, 'The mistakes are not there: mistakes.js is missing.', '']);
  fails = false;
  await choose();
  await choose();
  assert.deepEqual([asked, location.hash, select.value], [2, '#mistake=half-gradient', 'half-gradient']);
  assert.match(status.textContent, /^The mistake changes 3 numbers/);
  const linked = make_page(BLOCKS, '#mistake=half-gradient');
  makeLive(begun(), DESCRIPTION, async () => engine());
  await settle();
  assert.equal(linked.article.all('select')[0].value, 'half-gradient');
});

// A page whose engine with the mistakes comes, or fails, when the test says so.
function waiting(hash = '') {
  const page = make_page(BLOCKS, hash), loads = [];
  const made = makeLive(begun(), DESCRIPTION, () => new Promise((resolve, reject) => loads.push({ come: () => resolve(engine()), fail: () => reject(new Error('mistakes.js is missing')) })));
  const [select, status] = [page.article.all('select')[0], page.article.all('p', 'live-status')[0]];
  const cell = (name) => page.article.all('*').find((one) => one.dataset.live === name);
  const type = (name, value) => { cell(name).value = value, cell(name).fire('input'), cell(name).fire('blur'); };
  const choose = (name) => { select.value = name, select.onchange(); };
  return { ...page, made, loads, select, status, cell, type, choose, button: (text) => page.article.all('button').find((one) => one.textContent === text) };
}

test('a link has its numbers and its check although the engine of the mistakes fails, and a second try may succeed', async () => {
  const page = waiting('#live=w.0:3&mistake=half-gradient&check');
  assert.deepEqual([page.cell('w.0').value, page.cell('dx.0').textContent, page.select.value], ['3.00', '3.00', 'half-gradient']);
  await settle();
  assert.equal(page.status.textContent, 'Loading the known mistakes …');
  page.loads[0].fail();
  await settle(), await settle();  // the engine's promise, then the check
  assert.equal(page.status.textContent, 'The mistakes are not there: mistakes.js is missing.');
  assert.deepEqual([page.cell('w.0').value, page.select.value, page.article.all('span', 'live-right').length, page.past], ['3.00', '', 2, []]);
  page.choose('half-gradient'), page.loads[1].come();
  await settle(), await settle();
  assert.deepEqual([page.cell('dx.0').textContent, page.past, page.loads.length], ['1.50', [], 2]);  // the address has it
  assert.match(page.status.textContent, /disagree with dx/);
  const other = waiting('#mistake=half-gradient');
  other.loads[0].fail();
  await settle();
  other.type('x.0', '2');
  assert.match(other.status.textContent, /^You changed 1 number/);
});

test('what is done while the engine of the mistakes loads stays, and it is loaded once', async () => {
  const page = waiting('#live=w.0:3&mistake=half-gradient');
  page.type('x.0', '2');
  page.fire('hashchange');
  page.loads[0].come();
  await settle();
  assert.deepEqual([page.cell('x.0').value, page.cell('w.0').value, page.cell('dx.0').textContent, page.select.value], ['2.00', '3.00', '6.00', 'half-gradient']);
  assert.deepEqual([page.past, page.loads.length], [['#live=x.0:2,w.0:3&mistake=half-gradient'], 1]);
  for (const last of [(other) => other.choose(''), (other) => other.button('Start again').onclick(), (other) => { location.hash = '#live=w.0:4', other.fire('popstate'); }]) {
    const other = waiting();
    other.type('x.0', '2');
    other.choose('half-gradient'), other.choose('half-gradient'), last(other);
    other.loads[0].come();
    await settle();
    assert.deepEqual([other.loads.length, other.select.value, other.made.desk.way], [1, '', 0]);
  }
});

test('an address that encodes nothing, and what a field says already, add no entry', () => {
  const page = live(BLOCKS, '#%');
  assert.deepEqual([page.text('dx.0'), page.past], ['1.50', []]);
  page.type('x.0', '2'), page.leave('x.0');
  page.type('x.0', '2'), page.type('x.0', '2.5'), page.leave('x.0');  // its first digit changes nothing
  assert.deepEqual(page.past, ['#live=x.0:2', '#live=x.0:2.5']);
  location.hash = '#eq-5.7';
  page.fire('popstate'), page.fire('hashchange');
  page.leave('x.0');
  assert.deepEqual([page.past.length, location.hash], [2, '#eq-5.7']);
  page.type('x.0', '7'), page.back();  // back while the field has the focus
  page.type('x.0', '8');
  assert.deepEqual(page.past, ['#live=x.0:2', '#live=x.0:2.5', '#live=x.0:8']);
});

test('a link is copied, or stands in the address bar', async () => {
  const page = live();
  page.type('w.2', '7');
  await page.link.onclick();
  assert.deepEqual([page.clipboard, page.link.textContent], [['file:///lesson.html#live=w.2:7'], 'Copied']);
  page.refuses = true;
  navigator.clipboard.writeText = async () => { throw new Error('refused'); };
  await page.link.onclick();
  assert.equal(page.link.textContent, 'It is in the address bar');
});

test('a computed number shows the terms of its formula, to the pointer and to keys', async () => {
  const page = live(), box = page.article.all('div', 'live-terms')[0], lines = () => box.children.map((one) => one.textContent);
  const point = (name, event = 'pointerover') => page.article.fire(event, { target: page.cell(name) });
  assert.equal(box.hidden, true);
  point('sum.0');
  assert.deepEqual([box.hidden, lines()], [false, ['sum, 1', 'Σₖ(w[k]·x[j,k]^2)', '= 1.50·0.50^2 + (-0.50)·(-2.00)^2 + 2.00·0.12^2', '= -1.5938']]);
  point('x.0');  // a given number has none
  await settle(200);
  assert.equal(box.hidden, true);
  page.select.value = 'half-gradient';
  page.select.onchange();
  point('dx.0', 'focusin');
  assert.deepEqual(lines(), ['dx, row 1, 1', '2·g(i,j)·x[i,j]', 'g(a,b) = w[b]·dy[a,b]', '= 2·1.50·0.50', '= 1.5000', 'The code gives 0.7500.']);
  page.article.fire('keydown', { key: 'Escape' });
  assert.equal(box.hidden, true);
  point('dx.0');
  page.article.fire('pointerleave');
  box.fire('pointerenter');  // the pointer may go into the box
  await settle(200);
  assert.equal(box.hidden, false);
  box.fire('pointerleave');
  await settle(200);
  assert.equal(box.hidden, true);
  assert.deepEqual(['dx.0', 'dx.1', 'sum.0', 'sum.1', 'says.0'].map((name) => page.cell(name).tabIndex), [0, -1, 0, -1, undefined]);
  assert.equal(page.cell('dx.0').fire('keydown', { key: 'ArrowRight' }).prevented, true);
  assert.equal(document.activeElement, page.cell('dx.1'));
  page.cell('dx.1').fire('keydown', { key: 'ArrowUp' });
  assert.equal(document.activeElement, page.cell('dx.0'));
  assert.equal(page.cell('dx.0').fire('keydown', { key: 'a' }).prevented, false);
  const press = (key, name) => page.article.fire('keydown', { key, target: page.cell(name) }).prevented;
  for (const key of ['Enter', ' ']) {
    press('Escape', 'dx.0');
    assert.deepEqual([press(key, 'x.0'), press('a', 'dx.0'), box.hidden], [false, false, true]);
    assert.deepEqual([press(key, 'dx.0'), box.hidden, lines()[0]], [true, false, 'dx, row 1, 1']);
  }
  const label = (name) => page.cell(name).attributes['aria-label'];
  assert.deepEqual(['dx.0', 'sum.1', 'says.0'].map(label), ['dx, row 1, 1: 0.75', 'sum, 2: 15.469', undefined]);
  page.type('x.0', '2');
  assert.equal(label('dx.0'), 'dx, row 1, 1: 3.00');
  const desk = new Desk(begun());
  assert.equal(terms(desk, undefined, {}), null);
});

test('a switch is pressed to 1 or 0, and shows what it changes', async () => {
  const page = live({ ...BLOCKS, forward: BLOCKS.forward.replace('w (D)\n        1.50  -0.50   2.00', 'w (D)\n  1 0 2') },
    '', { ...DESCRIPTION, switches: ['w'], formulas: {}, blocks: { ...DESCRIPTION.blocks, forward: [['x (N, D)', 'x'], ['  {w[0]} {w[1]} {w[2]}'], DESCRIPTION.blocks.forward[2]] } });
  const button = page.cell('w.1');
  assert.deepEqual([button.tag, button.textContent, button.attributes.role, button.attributes['aria-checked'], button.attributes['aria-label']], ['button', '-0', 'switch', 'false', 'w, 2']);
  button.onclick();
  assert.deepEqual([button.textContent, button.attributes['aria-checked'], page.past, page.marked().includes('w.1')], ['1', 'true', ['#live=w.1:1'], true]);
  button.onclick();
  assert.deepEqual([button.textContent, page.past.at(-1)], ['0', '#live=w.1:0']);
  page.article.fire('pointerover', { target: button });
  await settle(160);
  assert.equal(page.cell('sum.0').style.values.get('--share'), '1.000');  // 4, of all the largest
});

test('where motion is unwanted, nothing flashes', () => {
  const page = live();
  globalThis.matchMedia = (query) => ({ matches: query === '(prefers-reduced-motion: reduce)' });
  page.type('x.0', '2');
  assert.equal(page.cell('sum.0').flashes, 0);
});

test('a number that is pointed at shows what it depends on, or what depends on it', async () => {
  const page = live();
  const shares = async (event, name) => {
    page.article.fire(event, { target: page.cell(name) });
    const found = () => page.article.all('*').filter((one) => one.style.values.get('--share')).map((one) => [one.dataset.live, one.style.values.get('--share')]);
    await settle(160);
    for (let i = 0; i < 100 && name !== 'says.0' && !found().length; ++i) await settle(20);  // a busy machine
    return Object.fromEntries(found());
  };
  assert.deepEqual(await shares('pointerover', 'x.0'), { 'sum.0': '0.500', 'dx.0': '1.000', 'dw.0': '0.333' });  // 1.5, 3, 1
  assert.deepEqual(await shares('pointerover', 'sum.1'), { 'x.3': '1.000', 'x.4': '0.028', 'x.5': '0.444', 'w.0': '1.000', 'w.1': '0.007', 'w.2': '0.111' });  // 9, 0.25, 4; 9, 1/16, 1
  assert.deepEqual(await shares('focusin', 'dx.4'), { 'x.4': '1.000', 'w.1': '0.500', 'dy.4': '0.125' });  // a gradient, by finite differences: 2, 1, 0.25
  page.article.fire('pointerleave');
  assert.deepEqual(page.article.all('*').filter((one) => one.style.values.get('--share')), []);
  assert.deepEqual(await shares('pointerover', 'says.0'), {});
  assert.notDeepEqual(await shares('focusin', 'w.0'), {});
  page.article.fire('focusout');
  assert.deepEqual(page.article.all('*').filter((one) => one.style.values.get('--share')), []);
});

test('an output asks backward for its colours, from a one at its place', async () => {
  const page = make_page({}), lesson = begun(), desk = new Desk(lesson);
  desk.compute();
  const cells = new Cells(desk, () => {});
  const cell = (name, place) => cells.made({ tensor: lesson.tensors.get(name), place, text: '0.00', lead: 0 }, '', null);
  const made = [cell('y', 4), ...[0, 3, 4, 5].map((place) => cell('x', place)), ...[0, 1, 2].map((place) => cell('w', place)), cell('dy', 4)];
  desk.way = 1;  // the mistake has another gradient, and the same dependence
  watch(desk, cells, page.article);
  page.article.fire('focusin', { target: made[0] });
  await settle(160);
  // y = w x²: 2 w x = 0.25 and x² = 0.0625
  assert.deepEqual(made.map((one) => one.style.values.get('--share') ?? ''), ['', '', '', '1.000', '', '', '0.250', '', '']);
  assert.deepEqual([...desk.values], [...lesson.start]);
});

test('a page loads the engine beside its script, or says why its numbers are not live', async () => {
  const begin = async (blocks, load, chapter = '98_box') => {
    const page = make_page(blocks);
    page.head.append = (script) => { page.loaded = script.src, load(script); };
    globalThis.gradus_live = async ({ wasmBinary }) => { page.code = new TextDecoder().decode(wasmBinary); return engine(); };
    globalThis.gradus_live.packed = gzipSync('the code').toString('base64');
    const failed = await start({ '97_other': { ...DESCRIPTION, blocks: {}, more: undefined }, '98_box': DESCRIPTION }, { src: 'file:///site/live/live.js', dataset: { chapter } }).then(() => null, (error) => error.message);
    return { ...page, failed, status: page.article.all('p', 'live-bar')[0], section: page.article.all('section', 'live-bar').length, loaded: page.loaded, code: page.code };
  };
  const good = await begin(BLOCKS, (script) => script.onload());
  assert.deepEqual([good.failed, good.loaded, good.code, good.section, good.status.removed], [null, 'file:///site/live/engine.js', 'the code', 1, true]);
  const choice = (page) => page.article.all('label', 'live-choice')[0];
  assert.deepEqual([choice(good).hidden, choice(good).all('option').map((one) => [one.value, one.textContent])], [false, [['', 'no mistake'], ['half-gradient', 'half-gradient']]]);
  assert.equal(choice(await begin({}, (script) => script.onload(), '97_other')).hidden, true);
  const missing = await begin(BLOCKS, (script) => script.onerror());
  assert.equal(missing.status.textContent, 'The numbers of this page are not live: file:///site/live/engine.js is missing.');
  assert.deepEqual([missing.failed, missing.section, missing.status.removed], ['file:///site/live/engine.js is missing', 0, false]);
  for (const [name, lacking] of [['WebAssembly', { validate: () => false }], ['DecompressionStream', undefined]]) {
    const before = globalThis[name];
    globalThis[name] = lacking;
    const old = await begin(BLOCKS, (script) => script.onload());
    globalThis[name] = before;
    assert.equal(old.status.textContent, 'The numbers of this page are not live: this browser is too old.');
  }
});
