// Small helpers for the elements of the page.

export const find = id => document.getElementById(id);

/** An element with text and attributes. */
export function make(kind, text = "", attributes = {}) {
  const element = document.createElement(kind);
  if (text) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

let hiding = 0;

/** A line that the user should read; it disappears by itself. */
export function notice(text) {
  const place = find("notice");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (place.hidden = true), 6000);
}
