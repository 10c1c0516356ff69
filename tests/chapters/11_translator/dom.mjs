// As much of a browser's document as the scripts of `gradus serve` use: elements, texts, classes, styles, events. No layout.

class Text {
  constructor(text) { this.textContent = text; }
}

class Names {
  constructor() { this.all = new Set(); }
  add(name) { this.all.add(name); }
  remove(name) { this.all.delete(name); }
  contains(name) { return this.all.has(name); }
  toggle(name, on) { if (on) this.add(name); else this.remove(name); }
}

class Style {
  constructor() { this.values = new Map(); }
  setProperty(name, value) { this.values.set(name, String(value)); }
  removeProperty(name) { this.values.delete(name); }
}

export class Element {
  constructor(name) {
    Object.assign(this, { tag: name, children: [], attributes: {}, listeners: {}, style: new Style(), classList: new Names() });
    if (name === 'select') Object.defineProperty(this, 'value', { writable: true, value: '0' });
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  append(...children) {
    for (const child of children) this.children.push(child instanceof Element ? child : new Text(String(child)));
  }
  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }
  get textContent() { return this.children.map((child) => child.textContent).join(''); }
  set textContent(text) { this.replaceChildren(...(text === '' ? [] : [text])); }
  addEventListener(name, call) { (this.listeners[name] ||= []).push(call); }
  fire(name, event = {}) {
    const sent = { prevented: false, preventDefault() { this.prevented = true; }, ...event };
    for (const call of this.listeners[name] || []) call(sent);
    return sent;
  }
  requestSubmit() { this.fire('submit'); }
  focus() { document.activeElement = this; }
  // All elements of this name (* for any) below, in order; with a class, those that have it.
  all(name, class_name) {
    const found = [];
    for (const child of this.children) {
      if (!(child instanceof Element)) continue;
      const names = (child.className || '').split(' ');
      if ((name === '*' || child.tag === name) && (!class_name || names.includes(class_name))) found.push(child);
      found.push(...child.all(name, class_name));
    }
    return found;
  }
}

export const observed = [];  // [callback, element] of each ResizeObserver

export function make_document(ids = []) {
  const places = Object.fromEntries(ids.map((id) => [id, new Element(id)]));
  observed.length = 0;
  globalThis.ResizeObserver = class {
    constructor(call) { this.call = call; }
    observe(element) { observed.push([this.call, element]); }
  };
  globalThis.document = {
    activeElement: null,
    createElement: (name) => new Element(name),
    getElementById: (id) => places[id],
    querySelector: (words) => {  // of the page's one query: input[name=direction]:checked
      if (words !== 'input[name=direction]:checked') throw new Error('no such query: ' + words);
      return places.directions.all('input').find((input) => input.checked);
    },
  };
  return places;
}
