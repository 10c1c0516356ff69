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
