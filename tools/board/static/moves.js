// The list of moves, and the steps through it.

import { find, make } from "./elements.js";

/** "1." or "1..." before a move, where it belongs. */
function numberBefore(ply, isFirst) {
  if (ply % 2 === 0) return `${ply / 2 + 1}.`;
  return isFirst ? `${(ply - 1) / 2 + 1}...` : "";
}

/** A number and its move, which stay in one row. */
function withNumber(number, button) {
  const turn = make("span", "", { class: "turn" });
  turn.append(make("span", number, { class: "number" }), button);
  return turn;
}

/** The moves of a line of the engine with their numbers, as one text each. */
export function numbered(sans, ply) {
  return sans.map((san, i) => [numberBefore(ply + i, i === 0), san].filter(Boolean).join(" "));
}

export class MoveList {
  /** `go` is called with the number of a node. */
  constructor(go) {
    this.go = go;
    this.nodes = [0];
    this.here = 0;
  }

  show(game) {
    this.nodes = [game.start, ...game.moves.map(move => move.node)];
    this.here = this.nodes.indexOf(game.node);
    const place = find("moves");
    const focused = place.querySelector(":focus")?.dataset.node;
    place.replaceChildren();
    game.moves.forEach((move, i) => {
      const number = numberBefore(move.ply, i === 0);
      const button = make("button", move.san + move.mark, { class: "move", "data-node": move.node });
      if (move.mark.startsWith("?")) button.classList.add("bad");
      if (move.node === game.node) button.setAttribute("aria-current", "true");
      button.onclick = () => this.go(move.node);
      place.append(number ? withNumber(number, button) : button);
      if (move.others) place.append(this.others(move.others));
    });
    if (focused) place.querySelector(`[data-node="${focused}"]`)?.focus();
    const current = place.querySelector("[aria-current]");
    if (current) place.scrollTop = current.offsetTop - place.offsetTop - place.clientHeight / 2;
  }

  others(others) {
    const place = make("span", "", { class: "others" });
    for (const other of others) {
      const button = make("button", other.san, { "data-node": other.node, title: "another move that was played here" });
      button.onclick = () => this.go(other.node);
      place.append(button);
    }
    return place;
  }

  step(name) {
    const last = this.nodes.length - 1;
    const place = { first: 0, back: this.here - 1, on: this.here + 1, last }[name];
    if (place >= 0 && place <= last && place !== this.here) this.go(this.nodes[place]);
  }
}
