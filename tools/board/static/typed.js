// What was typed for a request. A text that is refused is put back once, so that it can be mended.

const sent = {};
const refused = {};

/** A text, or nothing, goes to the server with a request. */
export function remember(what, text) {
  sent[what] = text;
}

export function refuse(what) {
  refused[what] = sent[what];
}

/** The text that was refused last, if it has not been put back yet. */
export function takeRefused(what) {
  const text = refused[what];
  delete refused[what];
  return text;
}
