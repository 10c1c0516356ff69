// Elements of the page. Texts are inserted as text, never as HTML.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role' || key === 'lang') made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

// A piece for readers: SentencePiece's mark for a space becomes a visible one.
export const readable = (piece) => piece.replaceAll('\u2581', '␣');

export const percent = (share) => (100 * share).toFixed(share < 0.0995 ? 1 : 0) + ' %';

// A frame that scrolls, for content that may be wider than the screen; its edge fades where more follows.
export function scroller(label, content) {
  const frame = element('div', { className: 'scroller', tabIndex: 0, role: 'region', 'aria-label': label }, content);
  const show_more = () => {
    frame.classList.toggle('more', frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1);
  };
  frame.addEventListener('scroll', show_more);
  new ResizeObserver(show_more).observe(frame);
  return frame;
}

// A table with a caption and headings; a row is a list of strings; numbers are right-aligned.
export function table(caption, headings, rows) {
  const cell = (content, heading) => {
    const is_number = /^[-−\d.]+( %)?$/.test(content);
    const made = element(heading ? 'th' : 'td', { className: is_number ? 'number' : '' }, content);
    if (heading) made.setAttribute('scope', 'col');
    return made;
  };
  return scroller(caption, element('table', {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...headings.map((text) => cell(text, true)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((text) => cell(text, false)))))));
}
