// Tests the scripts of the whole model's page without a browser and without WebAssembly: the engine is a model of two weights, whose loss
// is the distance of the first from 4. numbers_test.mjs and page_test.py test them with the real engine (`make check-page`).
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { make_page } from './live_dom.mjs';

make_page({});
const at = '../../page/scripts/';
const { Actions } = await import(`${at}actions.mjs`);
const { thinned } = await import(`${at}curve.mjs`);
const { HALVES, belongs, titleOf } = await import(`${at}map.mjs`);
const { Model } = await import(`${at}model.mjs`);
const { Walk } = await import(`${at}walk.mjs`);

const TASKS = [{ name: 'book', learnt: true, sourceWords: ['a', 'b'], targetWords: ['A', 'B'], pairs: [{ source: [0], target: [1] }, { source: [1, 0], target: [0] }] },
  { name: 'digits', learnt: false, sourceWords: ['0', '1'], targetWords: ['0', '1'], pairs: [{ source: [1], target: [1] }] }];

// A text is its own address, so that the script reads it.
function engine() {
  const memory = new Float64Array(64), calls = [];
  const one = { calls, HEAPF64: memory, problem: '', UTF8ToString: (text) => text, _walk_problem: () => one.problem, _walk_tasks: () => JSON.stringify(TASKS),
    _walk_begin(task, without, seed) {
      calls.push(['begin', task, without, seed]);
      memory.set([seed, 7], 8);
      return JSON.stringify([{ name: 'output', shape: [1, 2], first: 0 }]);
    },
    _walk_weights: () => 64,
    _walk_steps(count, ...plan) {
      calls.push(['steps', count, ...plan]);
      if (plan[1] > 1) { one.problem = 'the rate is too large'; return 0; }
      for (let i = 0; i < count; ++i) memory[8] += 0.5 * Math.sign(4 - memory[8]), memory.set([Math.abs(4 - memory[8]), 2, plan[1]], 16 + 3 * i);
      return 128;
    },
    _walk_score: () => (memory[8] === 4 ? 1 : 0.5),
    _walk_says: (pair) => JSON.stringify(memory[8] === 4 ? TASKS[0].pairs[pair].target : []),
    _walk_flow(pair, smoothing) {
      calls.push(['flow', pair, smoothing]);
      memory.set([0.5, memory[8], memory[9], -1, 0.25], 40);
      return JSON.stringify([{ name: 'loss', part: 'output', shape: [1], first: 0 }, { name: 'decoder.end.n', part: 'output', shape: [1, 2], first: 1 },
        { name: 'doutput', part: 'gradient', shape: [1, 2], first: 3 }]);
    },
    _walk_numbers: () => 320 };
  return one;
}

async function begun(hash = '') {
  const page = make_page({}, hash), wasm = engine();
  const walk = new Walk(new Model(wasm), page.article, '..');
  await walk.busy;
  const button = (text) => page.article.all('button').find((one) => one.textContent === text);
  const press = async (text) => { await button(text).onclick(); await walk.busy; };
  return { ...page, walk, wasm, button, press, status: () => walk.choices.status.textContent };
}

test('actions are a text, and the text gives them again', () => {
  const plan = { optimiser: 1, peak: 0.01, warmup: 100, smoothing: 0.1 }, made = new Actions();
  assert.equal(made.text, '');
  made.begin({ task: 1, seed: 3, without: 2 });
  made.addSteps(1, plan), made.addSteps(100, plan);
  made.addEdit('a.b', 3, 1), made.addEdit('a.b', 3, -1e-7), made.addEdit('a.b', 4, 2);
  made.addSteps(5, { ...plan, optimiser: 0 });
  const text = 'task=1&without=2&seed=3&do=adam,0.01,100,0.1*101;a.b.3:-1e-7;a.b.4:2;sgd,0.01,100,0.1*5';
  assert.equal(made.text, text);
  const other = new Actions();
  other.read(text);
  assert.deepEqual([other.beginning, other.done], [made.beginning, made.done]);
  assert.deepEqual(Actions.planOf('sgd,0.5,3,0'), { optimiser: 0, peak: 0.5, warmup: 3, smoothing: 0 });
  other.read('task=x&colour=1&do=;adam*3;a.1:x;sgd,1,2,0*4');
  assert.deepEqual([other.beginning.task, other.done], [0, [{ plan: 'sgd,1,2,0', count: 4 }]]);
});

test('a long curve is thinned to means', () => {
  assert.deepEqual(thinned([1, 2, 3, 4, 5], 3), [{ step: 2, mean: 1.5 }, { step: 4, mean: 3.5 }, { step: 5, mean: 5 }]);
  assert.deepEqual(thinned([1], 3), [{ step: 1, mean: 1 }]);
});

test('every box of the map has a chapter, and a parameter belongs to whole names', () => {
  for (const { boxes } of HALVES) for (const box of boxes) {
    assert.match(box.chapter, /^\d\d_/);
    for (const one of [...(box.in ?? []), ...box.out]) assert.ok(titleOf(one.heads ? `${one.name}0` : (one.name ?? one)));
  }
  assert.equal(titleOf('cross.weights1'), 'weights of head 1: who looks (row) at whom (column)');
  assert.deepEqual(['encoder.0.self_attention.wo', 'encoder.0.self_attention_norm.gamma', 'output'].map((name) => [belongs(name, 'encoder.0.self_attention'), belongs(name, 'output')]),
    [[true, false], [false, false], [false, true]]);
});

test('the page begins with the learnt model, and shows what it says', async () => {
  const page = await begun();
  assert.deepEqual(page.wasm.calls[0], ['begin', 0, 0, 0]);
  assert.equal(page.status(), '50.0 % of the judging pairs are right.');
  assert.equal(page.walk.said.textContent, 'a → (nothing), and should say: B');
  assert.deepEqual(page.past, []);
  assert.equal(page.walk.choices.seed.made.hidden, true);
});

test('steps, edits and choices are done, drawn, and stand in the address', async () => {
  const page = await begun();
  await page.press('One step');
  assert.match(page.status(), /^Step 1: loss 3\.500, rate 0\.0100\. 50\.0 %/);
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*1']);
  await page.press('Output and loss');
  const panel = page.walk.map.panel, field = panel.all('input')[0];
  assert.equal(panel.hidden, false);
  assert.deepEqual(panel.all('caption').map((one) => one.textContent), ['n, s normalised', 'loss', 'output', 'its gradient']);
  assert.equal(panel.all('a')[0].href, '../chapters/10_training/index.html');
  field.value = 'x', field.fire('change');
  assert.equal(field.attributes['aria-invalid'], 'true');
  field.value = '3,5', field.fire('change');
  await page.walk.busy;
  assert.equal(page.past.at(-1), '#do=adam,0.01,100,0.1*1;output.0:3.5');
  await page.press('Train to 99 %');
  assert.match(page.status(), /100\.0 % of the judging pairs are right/);
  assert.equal(page.button('Stop'), undefined);
  assert.equal(page.walk.said.textContent, 'a → B');
  await page.press('Output and loss');
  assert.equal(panel.hidden, true);
  page.walk.choices.peak.input.value = '2';
  await page.press('One step');
  assert.equal(page.status(), 'the rate is too large.');
  page.walk.choices.peak.input.value = 'fast';
  await page.press('One step');
  assert.equal(page.status(), '"Rate" is a number from 0 to 10.');
  page.walk.choices.peak.input.value = '0.5';
  page.walk.choices.task.select.value = '1';
  page.walk.choices.task.select.onchange();
  await page.walk.busy;
  assert.deepEqual([page.wasm.calls.filter(([name]) => name === 'begin').at(-1), location.hash], [['begin', 1, 0, 1], '#task=1&seed=1']);  // it has no learnt weights
});

test('an address is done again, step by step, and back takes one back', async () => {
  const page = await begun('#pair=1&do=sgd,0.5,3,0*2;output.1:9;unknown.0:1');
  assert.deepEqual([...page.wasm.HEAPF64.slice(8, 10)], [1, 9]);
  assert.deepEqual(page.wasm.calls.filter(([name]) => name === 'steps').map((call) => call.slice(2)), [[0, 0.5, 3, 0], [0, 0.5, 3, 0]]);
  assert.equal(page.walk.choices.peak.input.value, '0.5');
  assert.equal(page.walk.pair.value, '1');
  location.hash = '';
  page.fire('popstate');
  await page.walk.busy;
  assert.deepEqual([...page.wasm.HEAPF64.slice(8, 10)], [0, 7]);
});

const right_model = (page) => assert.match(page.status(), /^50\.0 % of the judging pairs are right\.$/);

test('what an address tells wrongly is left out, and a problem stops nothing that follows', async () => {
  for (const [hash, address] of [['#task=7', ''], ['#pair=99', ''], ['#without=9', ''], ['#seed=99999999999', ''], ['#%', '#%'], ['#task=1&pair=1&seed=2', '#task=1&seed=2']]) {
    const page = await begun(hash);
    right_model(page);
    assert.deepEqual([page.past, location.hash], [[], address], hash);
    await page.press('One step');
    assert.match(page.status(), /^Step 1: /, hash);
    assert.equal(page.past.length, 1);
  }
  const broken = await begun('#do=sgd,99,1,0*5');
  assert.equal(broken.status(), '"Rate" is a number from 0 to 10.');
  broken.walk.choices.peak.input.value = '1';
  await broken.press('One step');
  assert.match(broken.status(), /^Step 1: /);
});

test('while a choice is wrong, an open box shows the model with the last one that was right', async () => {
  const page = await begun();
  page.walk.choices.smoothing.input.value = '0.25';
  await page.press('Output and loss');
  const smoothings = () => page.wasm.calls.filter(([name]) => name === 'flow').map((call) => call[2]);
  assert.deepEqual(smoothings(), [0.25]);
  Object.assign(page.walk.choices.peak.input, { value: 'fast' }), page.walk.choices.smoothing.input.value = 'soft';
  await page.press('One step');
  assert.equal(page.status(), '"Rate" is a number from 0 to 10.');
  assert.deepEqual(smoothings(), [0.25, 0.25]);
  Object.assign(page.walk.choices.peak.input, { value: '0.5' }), page.walk.choices.smoothing.input.value = '0.5';
  await page.press('One step');
  assert.match(page.status(), /^Step 1: /);
  assert.deepEqual(smoothings(), [0.25, 0.25, 0.5]);
});

test('a beginning that fails says so, and leaves the model and its address', async () => {
  const page = await begun(), { seed, task, weights } = page.walk.choices;
  await page.press('One step');
  seed.input.value = 'x', weights.select.value = '1', task.select.value = '1';
  await assert.doesNotReject(async () => task.select.onchange());
  await page.walk.busy;
  assert.equal(page.status(), '"Seed" is a number from 1 to 1000000.');
  seed.input.value = '5';
  page.wasm._walk_begin = () => { page.wasm.problem = 'there is no such model'; return 0; };
  await page.press('Start again');
  assert.equal(page.status(), 'there is no such model.');
  assert.equal(page.walk.model.task.name, 'book');
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*1']);
});

test('what cannot be drawn is said, and the next button works', async () => {
  const page = await begun(), says = page.wasm._walk_says;
  page.wasm._walk_says = () => { page.wasm.problem = 'it says nothing'; return 0; };
  await page.press('One step');
  assert.equal(page.status(), 'it says nothing.');
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*1']);
  page.wasm._walk_says = says;
  await page.press('One step');
  assert.match(page.status(), /^Step 2: /);
});

test('back sends two events and is followed once, and what it follows adds no entry', async () => {
  const page = await begun('#task=0'), begins = () => page.wasm.calls.filter(([name]) => name === 'begin').length;
  assert.deepEqual([page.past, begins()], [[], 1]);
  await page.press('One step'), await page.press('One step');
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*1', '#do=adam,0.01,100,0.1*2']);
  page.back(), await page.walk.busy;
  assert.deepEqual([begins(), page.wasm.HEAPF64[8], location.hash], [2, 0.5, '#do=adam,0.01,100,0.1*1']);
  page.back(), await page.walk.busy;
  assert.deepEqual([begins(), page.wasm.HEAPF64[8], location.hash], [3, 0, '']);
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*1', '#do=adam,0.01,100,0.1*2']);  // both may be gone forward to
});

test('the name of a part of the page changes nothing', async () => {
  const page = await begun();
  await page.press('One step');
  location.hash = '#how-it-is-checked';
  page.fire('popstate'), page.fire('hashchange'), await page.walk.busy;
  assert.match(page.status(), /^Step 1: /);
  await page.press('One step');
  assert.equal(location.hash, '#do=adam,0.01,100,0.1*2');
});

test('a training that back ends adds no entry, nor does an address that another action ends', async () => {
  const page = await begun();
  await page.press('One step');
  page.wasm._walk_score = () => 0.5;  // it goes on for ever
  const running = page.button('Train to 99 %').onclick();
  await new Promise((done) => setTimeout(done, 60));
  page.back(), await running, await page.walk.busy;
  assert.deepEqual([page.past, location.hash, page.wasm.HEAPF64[8]], [['#do=adam,0.01,100,0.1*1'], '', 0]);
  const long = make_page({}, '#do=sgd,0.5,3,0*999999999;output.1:9'), wasm = engine();
  const walk = new Walk(new Model(wasm), long.article, '..');
  await new Promise((done) => setTimeout(done, 60));
  await long.article.all('button').find((one) => one.textContent === 'One step').onclick();
  assert.equal(wasm.HEAPF64[9], 7);  // the edit behind the steps was not wanted any more
  assert.deepEqual([long.past.length, walk.actions.done.length], [1, 1]);
  assert.equal(walk.actions.done[0].count, wasm.calls.filter(([name]) => name === 'steps').length);
});

test('steps before one that fails stay in the address', async () => {
  const page = await begun(), steps = page.wasm._walk_steps;
  let left = 3;
  page.wasm._walk_steps = (...all) => { if (left-- > 0) return steps(...all); page.wasm.problem = 'the gradient is not finite'; return 0; };
  await page.press('A hundred steps');
  assert.equal(page.status(), 'the gradient is not finite.');
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*3']);
  page.walk.choices.peak.input.value = '0.5';  // of another plan
  await page.press('One step');
  assert.deepEqual(page.past, ['#do=adam,0.01,100,0.1*3']);
});
