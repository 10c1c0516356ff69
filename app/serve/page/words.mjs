// The sentence and its translation, word by word: pointing at a word highlights the words that its attention
// connects it with.

import { element } from './element.mjs';

// The words that the tokens form; `places` holds the index of each token's word.
function words_of(tokens, places) {
  const words = [];
  tokens.forEach((token, i) => {
    if (places[i] === null) return;
    words[places[i]] = (words[places[i]] || '') + token.replaceAll('\u2581', '');
  });
  return words;
}

// weight[j][i]: the attention of word j of the translation to word i of the source: the mean over the pieces of the
// target word, the sum over those of the source word.
function weights_of(attention, targets, sources) {
  const weights = targets.map(() => sources.map(() => 0));
  const pieces = targets.map(() => 0);
  attention.mean.forEach((row, i) => {
    const target = attention.row_words[i];
    if (target === null) return;
    pieces[target] += 1;
    row.forEach((weight, j) => {
      const source = attention.column_words[j];
      if (source !== null) weights[target][source] += weight;
    });
  });
  return weights.map((row, j) => row.map((weight) => weight / pieces[j]));
}

// A line of words; calls chosen(place) for the word under the pointer, or chosen(null).
function line_of(words, label, lang, chosen) {
  const spans = words.map((word, place) => {
    const span = element('button', { type: 'button', className: 'word' }, word);
    for (const event of ['pointerenter', 'focus', 'click']) span.addEventListener(event, () => chosen(place));
    for (const event of ['pointerleave', 'blur']) span.addEventListener(event, () => chosen(null));
    return span;
  });
  const line = element('p', { className: 'words', role: 'group', 'aria-label': label, lang });
  spans.forEach((span, i) => line.append(i === 0 ? '' : ' ', span));
  return { line, spans };
}

const share = (weight) => Math.round(100 * weight) + ' %';

export function aligned_words(sentence, languages) {
  const { attention } = sentence;
  const sources = words_of(sentence.source_tokens, attention.column_words);
  const targets = words_of(sentence.tokens.map((token) => token.text), attention.row_words);
  const weights = weights_of(attention, targets, sources);
  const says = element('output', { className: 'note' });
  const show = (own, place, other, weight_to) => {
    for (const span of [...own.spans, ...other.spans]) {
      span.style.removeProperty('--weight');
      span.classList.remove('chosen');
    }
    says.textContent = '';
    if (place === null) return;
    own.spans[place].classList.add('chosen');
    const found = other.spans.map((span, i) => ({ span, weight: weight_to(i) }));
    for (const { span, weight } of found) span.style.setProperty('--weight', weight.toFixed(3));
    const best = found.sort((a, b) => b.weight - a.weight).slice(0, 3).filter(({ weight }) => weight >= 0.05);
    says.textContent = own.spans[place].textContent + ' – ' +
      (best.map(({ span, weight }) => span.textContent + ' ' + share(weight)).join(', ') || 'no word in particular');
  };
  const source = line_of(sources, 'Source', languages[0], (i) => show(source, i, target, (j) => weights[j][i]));
  const target = line_of(targets, 'Translation, word by word', languages[1],
    (j) => show(target, j, source, (i) => weights[j][i]));
  return element('div', { className: 'aligned' }, source.line, target.line, says);
}
