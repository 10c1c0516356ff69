// An element of a picture, with attributes and a text or other elements in it.
const SVG = "http://www.w3.org/2000/svg";

export function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
