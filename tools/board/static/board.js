// The board: pieces that can be moved, arrows, and the choice of a promotion.

import { Chessground } from "./chessground/chessground.min.js";
import { find, make } from "./elements.js";

const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const BRUSHES = {
  best: { key: "best", color: "#1668c1", opacity: 0.85, lineWidth: 11 },
  good: { key: "good", color: "#1668c1", opacity: 0.45, lineWidth: 8 },
};

export class Board {
  /** `move` is called with a move in UCI notation. */
  constructor(move) {
    this.move = move;
    this.orientation = "white";
    this.ground = Chessground(find("board"), {
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
      premovable: { enabled: false },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
      draggable: { autoDistance: true },
      drawable: { brushes: { green: brush("g", "#15781b"), red: brush("r", "#882020"),
        blue: brush("b", "#003088"), yellow: brush("y", "#e68f00"), ...BRUSHES } },
    });
    const place = find("promotion");
    addEventListener("pointerdown", event => { // a press elsewhere takes the move back
      if (!place.hidden && !place.contains(event.target)) this.show(this.game);
    }, true);
  }

  /** Show a game as the server tells it. */
  show(game) {
    this.game = game;
    this.closePromotion();
    const destinations = new Map(Object.entries(game.destinations));
    this.ground.set({
      fen: game.fen,
      orientation: this.orientation,
      turnColor: game.turn,
      check: game.check ? game.turn : false,
      lastMove: game.last,
      movable: { color: destinations.size ? game.turn : undefined, dests: destinations },
    });
  }

  /** Nothing can be moved until the next game is shown. */
  freeze() {
    this.ground.cancelMove();
    if (this.game) this.show({ ...this.game, destinations: {} });
  }

  turn() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    if (this.game) this.show(this.game);
  }

  /** Arrows for the first moves of lines, and numbers on pieces. */
  draw(moves, worths) {
    const arrows = moves.map((move, rank) => ({
      orig: move.slice(0, 2), dest: move.slice(2, 4), brush: rank ? "good" : "best",
    }));
    const labels = Object.entries(worths).map(([square, worth]) => ({
      orig: square, label: { text: (worth / 100).toFixed(1), fill: worth < 0 ? "#b3392f" : "#1a7f4b" },
    }));
    this.ground.setAutoShapes([...arrows.reverse(), ...labels]);
  }

  moved(from, to) {
    if (this.game.promotions.includes(from + to)) this.askPromotion(from, to);
    else this.move(from + to);
  }

  askPromotion(from, to) {
    const place = find("promotion");
    const isUpper = (to[1] === "8") === (this.orientation === "white");
    const file = to.charCodeAt(0) - 97;
    place.style.left = `${12.5 * (this.orientation === "white" ? file : 7 - file)}%`;
    place.style[isUpper ? "top" : "bottom"] = "0";
    place.style[isUpper ? "bottom" : "top"] = "";
    place.replaceChildren(...Object.entries(PROMOTIONS).map(([letter, piece]) => {
      const button = make("button", "", { "aria-label": piece, "data-piece": letter });
      button.append(make("piece", "", { class: `${piece} ${this.game.turn}` }));
      button.onclick = () => {
        this.closePromotion();
        this.move(from + to + letter);
      };
      return button;
    }));
    if (!isUpper) place.append(...[...place.children].reverse());
    place.hidden = false;
    setTimeout(() => place.querySelector('[data-piece="q"]').focus()); // after the press that made the move
    place.onkeydown = event => {
      if (event.key === "Escape") this.show(this.game);
    };
  }

  closePromotion() {
    find("promotion").hidden = true;
  }
}

function brush(key, color) {
  return { key, color, opacity: 1, lineWidth: 10 };
}
