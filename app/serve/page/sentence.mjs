// The page's part for one sentence.

import { element, percent, readable, table } from './element.mjs';
import { heat_map } from './heat_map.mjs';
import { aligned_words } from './words.mjs';

function beams(sentence) {
  const all = sentence.n_best || [sentence];
  const rows = all.map((one, i) => [String(i + 1), one.text, one.score.toFixed(3), percent(Math.exp(one.token_log_prob))]);
  return table('Score: log probability over the length norm. A token: probability, geometric mean.',
    ['', 'translation', 'score', 'a token'], rows);
}

// The most probable tokens at each place, with a mark on the chosen one.
function nearly_said(steps) {
  return element('ol', { className: 'steps' }, ...steps.map((step) => element('li', {},
    ...step.candidates.map((candidate) => {
      const is_said = candidate.text === step.text;
      const chip = element('span', { className: is_said ? 'chip said' : 'chip' },
        element(is_said ? 'strong' : 'span', {}, readable(candidate.text)), ' ' + percent(candidate.probability));
      chip.style.setProperty('--weight', candidate.probability.toFixed(4));
      return chip;
    }))));
}

export function part(title, note, content, open) {
  return element('details', { open }, element('summary', {}, title),
    ...(note ? [element('p', { className: 'note' }, note)] : []), content);
}

export function shown_sentence(sentence, languages, open) {
  const made = element('article', {},
    element('p', { className: 'note', lang: languages[0] }, sentence.source),
    element('p', { className: 'translation', lang: languages[1] }, sentence.text));
  for (const warning of sentence.warnings) made.append(element('p', { className: 'warning' }, warning.text));
  if (!sentence.attention) return made;
  made.append(
    part('Which word looked at which', 'Point at a word of one line, or go to it by Tab: the other line shows what belongs to it.',
      aligned_words(sentence, languages), open),
    part('The beams', '', beams(sentence), open),
    part('What it nearly said', 'At each place the likeliest tokens, after those before it. ␣ is a space.',
      nearly_said(sentence.steps), open),
    part('Attention, by layer and head', 'A row is a token of the translation, a column one of the source.',
      heat_map(sentence), open));
  return made;
}
