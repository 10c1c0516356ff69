// The state of a page in its address: a link restores it, and the back button takes the last change back.

function addressed() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a "%" that stands for nothing
  }
}

export class Address {
  // `isState` tells the text of a state from the name of a part of the page; `follow(text)` goes to a state, "" is the beginning.
  constructor(isState, follow) {
    Object.assign(this, { isState, follow });
    for (const event of ["popstate", "hashchange"]) addEventListener(event, () => this.hear()); // one step back sends both
  }

  hear() {
    const text = addressed();
    if (text === this.text || (text && !this.isState(text))) return;
    this.text = text;
    this.follow(text);
  }

  // Begins with the address that the page was opened with.
  begin() {
    const text = addressed();
    this.text = this.isState(text) ? text : "";
    return this.follow(this.text);
  }

  // The page has this state now: as a step of its own for the back button, or in place of the last one. Returns whether it is another.
  write(text, isStep) {
    if (text === this.text) return false;
    this.text = text;
    history[isStep ? "pushState" : "replaceState"](null, "", text ? `#${encodeURI(text)}` : location.pathname + location.search);
    return true;
  }
}

// Copies the address; false where the browser does not allow it.
export const copyAddress = async () => (await navigator.clipboard?.writeText(location.href).then(() => true, () => false)) ?? false;
