// As much of a browser as the scripts of the live lessons use, besides dom.mjs: an article with blocks, an address, a history, a pointer.
import { Element } from '../chapters/11_translator/dom.mjs';

class LiveElement extends Element {
  constructor(name, parent = null) {
    super(name);
    Object.assign(this, { parent, dataset: {}, flashes: 0, selected: 0, removed: false });
  }
  getAttribute(name) { return this.attributes[name] ?? null; }
  removeAttribute(name) { delete this.attributes[name]; }
  append(...children) {
    super.append(...children);
    for (const child of children) if (child instanceof Element) child.parent = this;
  }
  after(...made) { this.parent.children.splice(this.parent.children.indexOf(this) + 1, 0, ...made); }
  closest(selector) { return `.${this.className}` === selector ? this : (this.parent?.closest(selector) ?? null); }
  querySelector(name) { return this.all(name)[0] ?? null; }
  animate() { this.flashes += 1; }
  select() { this.selected += 1; }
  remove() { this.removed = true; }
  contains(other) { return this.all('*').includes(other); }
  get isConnected() { return true; }
  getBoundingClientRect() { return { left: 20, top: 30, bottom: 50, height: 20, width: 100 }; }
}

// The page of a lesson: `blocks` are the printed texts by their sections; each stands in a div of the class "block". `fire(name)` sends an event to the window.
export function make_page(blocks, hash = '') {
  const article = new LiveElement('article'), head = new LiveElement('head'), heard = {}, past = [];
  const pres = Object.entries(blocks).map(([section, text]) => {
    const pre = new LiveElement('pre'), code = new LiveElement('code'), block = new LiveElement('div');
    Object.assign(block, { className: 'block' });
    Object.assign(pre, { section });
    code.append(`${text}\n`), pre.append(code), block.append(pre), article.append(block);
    return pre;
  });
  const page = { article, head, past, reduced: false, clipboard: [], refuses: false, fire: (name) => (heard[name] || []).forEach((call) => call()) };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  define('document', {
    activeElement: null, head, documentElement: { clientWidth: 400 },
    createElement: (name) => new LiveElement(name),
    createElementNS: (_, name) => new LiveElement(name),
    querySelector: (words) => (words === 'article' ? article : pres.find((pre) => words === `pre[data-demo="${pre.section}"]`) ?? null),
  });
  define('location', { hash, pathname: '/lesson.html', search: '?q', get href() { return `file://${this.pathname}${this.hash}`; } });
  const go = (address) => { location.hash = address.startsWith('#') ? address : ''; };
  define('history', {
    pushState: (_, __, address) => { past.push(address), go(address); },
    replaceState: (_, __, address) => { past[past.length - 1] = address, go(address); },
  });
  define('navigator', { clipboard: { writeText: async (text) => {
    if (page.refuses) throw new Error('refused');
    page.clipboard.push(text);
  } } });
  define('innerHeight', 800);
  define('matchMedia', () => ({ matches: page.reduced }));
  define('addEventListener', (name, call) => { (heard[name] ||= []).push(call); });
  return page;
}
