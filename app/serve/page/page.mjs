// The form: sends the text to /translate, and shows the answer.

import { element } from './element.mjs';
import { shown_sentence } from './sentence.mjs';

const at = (id) => document.getElementById(id);
let models = [], asked = null;

const direction = () => document.querySelector('input[name=direction]:checked').value;
const languages = (name) => (/^[a-z]{2}-[a-z]{2}$/.test(name) ? name.split('-') : ['', '']);

function show_error(text) {
  at('error').textContent = text;
  at('error').hidden = text === '';
}

async function ask(path, options) {
  let reply;
  try {
    reply = await fetch(path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error('gradus serve does not answer; is it still running?');
  }
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error);
  return answer;
}

function show(answer) {
  const one = answer.sentences.length === 1;
  at('answer').replaceChildren(
    ...answer.sentences.filter((s) => s.source !== '').map((s) => shown_sentence(s, languages(answer.direction), one)));
}

async function translate() {
  if (asked) asked.abort();
  const mine = new AbortController();
  asked = mine;
  const beam = Number(at('beam').value);
  const query = { text: at('text').value, direction: direction(), beam, n_best: beam, attention: true, explain: true };
  show_error('');
  at('status').textContent = 'translating …';
  try {
    show(await ask('/translate', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(query), signal: mine.signal }));
  } catch (error) {
    if (error.name === 'AbortError') return;  // a later request replaced this one
    at('answer').replaceChildren();
    show_error(error.message);
  }
  at('status').textContent = '';
}

function show_examples() {
  const model = models.find((one) => one.direction === direction());
  at('text').lang = languages(direction())[0];
  at('examples').replaceChildren(...model.examples.map((text) => {
    const button = element('button', { type: 'button', className: 'example', lang: at('text').lang }, text);
    button.addEventListener('click', () => {
      at('text').value = text;
      translate();
    });
    return button;
  }));
}

async function begin() {
  const answer = await ask('/models');
  models = answer.models;
  at('directions').append(...models.map((model, i) => element('label', {},
    element('input', { type: 'radio', name: 'direction', value: model.direction, checked: i === 0 }),
    element('span', {}, model.title))));
  at('directions').addEventListener('change', show_examples);
  at('text').maxLength = answer.limits.characters;
  at('beam').max = answer.limits.beam;
  at('beam').value = Math.min(5, answer.limits.beam);
  at('form').addEventListener('submit', (event) => {
    event.preventDefault();
    translate();
  });
  at('text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    at('form').requestSubmit();
  });
  show_examples();
  at('text').focus();
}

begin().catch((error) => show_error(error.message));
