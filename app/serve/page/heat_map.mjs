// The cross-attention of each token of the translation, as a coloured table: one head, or the mean of the last
// layer.

import { element, readable, scroller } from './element.mjs';

function choice(label, options, changed) {
  const select = element('select', {}, ...options.map((text, i) => element('option', { value: i }, text)));
  select.addEventListener('change', changed);
  return { select, label: element('label', { className: 'inline' }, label + ' ', select) };
}

function cells(sentence, weights, says) {
  const columns = sentence.source_tokens.map(readable);
  const head = element('tr', {}, element('td'),
    ...columns.map((text) => element('th', { scope: 'col' }, element('span', {}, text))));
  const rows = sentence.tokens.map((token, i) => element('tr', {},
    element('th', { scope: 'row' }, readable(token.text)),
    ...columns.map((text, j) => {
      const weight = weights[i][j];
      const cell = element('td', {}, element('span', { className: 'hidden' }, weight.toFixed(2)));
      cell.style.setProperty('--weight', weight);
      cell.addEventListener('pointerenter', () => {
        says.textContent = readable(token.text) + ' → ' + text + ': ' + (100 * weight).toFixed(1) + ' %';
      });
      return cell;
    })));
  return [element('thead', {}, head), element('tbody', {}, ...rows)];
}

export function heat_map(sentence) {
  const { attention } = sentence;
  const says = element('output', { className: 'note' });
  const table = element('table', { className: 'heat' });
  const numbers = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
  const draw = () => {
    const chosen = Number(layer.select.value);
    head.select.disabled = chosen === 0;
    const weights = chosen === 0 ? attention.mean : attention.weights[chosen - 1][Number(head.select.value)];
    table.replaceChildren(element('caption', { className: 'hidden' }, 'Weights of attention'),
      ...cells(sentence, weights, says));
  };
  const layer = choice('Layer', ['the last, mean of heads', ...numbers(attention.layers)], draw);
  const head = choice('Head', numbers(attention.heads), draw);
  draw();
  return element('div', {},
    element('div', { className: 'row' }, layer.label, head.label, says),
    scroller('Weights of attention', table));
}
