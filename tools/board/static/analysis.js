// The analysis: lines that grow, arrows, the bar of chances, and the evaluation by term.

import { find, make } from "./elements.js";
import { numbered } from "./moves.js";

// What the bar shows where the game has ended.
const FINAL = { "1-0": { bar: 1, score: "1" }, "1/2-1/2": { bar: 0.5, score: "½" }, "0-1": { bar: 0, score: "0" } };

export const ALL_AT_WORK = "All engines are at work for other pages";

const points = centipawns => `${centipawns > 0 ? "+" : ""}${(centipawns / 100).toFixed(2)}`;
const pair = ([middleGame, endGame]) => `${points(middleGame)} / ${points(endGame)}`;

function short(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${Math.round(number / 1e3)} k` : String(number);
}

/** A score that fits into the bar. The side where it stands tells the sign. */
function narrow(score) {
  const unsigned = score.replace(/[+-]/, "");
  return unsigned.includes(".") ? Number(unsigned).toFixed(unsigned < 9.95 ? 1 : 0) : unsigned;
}

export class Analysis {
  /** `play` is called with moves in UCI notation that were clicked in a line. */
  constructor(connection, board, play) {
    this.connection = connection;
    this.board = board;
    this.play = play;
    this.game = this.lines = this.evaluation = null;
    find("analyse").onchange = find("count").onchange = () => this.ask();
    find("terms").onchange = () => connection.ask("terms", { on: find("terms").checked });
    find("worths").onchange = () => this.draw();
  }

  ask() {
    this.connection.ask("analyse", { lines: find("analyse").checked ? Number(find("count").value) : 0 });
  }

  /** A game, which may be at another position now. */
  show(game) {
    const isElsewhere = this.game?.fen !== game.fen;
    this.game = game;
    find("analyse").checked = game.analysis.lines > 0;
    if (game.analysis.lines) find("count").value = game.analysis.lines;
    find("terms").checked = game.analysis.terms;
    if (isElsewhere || !game.analysis.lines) this.lines = null;
    if (isElsewhere || !game.analysis.terms) this.evaluation = null;
    find("depth").textContent = whyNoLines(game);
    this.draw();
  }

  hearLines(message) {
    if (message.fen !== this.game?.fen || !this.game.analysis.lines) return;
    this.lines = message;
    const { depth, nodes, speed, running } = message;
    find("depth").textContent = `depth ${depth}, ${short(nodes)} nodes, ${short(speed)} a second${running ? "" : ", ended"}`;
    this.draw();
  }

  hearEvaluation(message) {
    if (message.fen !== this.game?.fen) return;
    this.evaluation = message;
    this.draw();
  }

  draw() {
    const lines = this.lines?.lines ?? [];
    this.drawLines(lines);
    this.drawBar(lines[0] ?? FINAL[this.game?.final]);
    this.drawTerms();
    const shown = find("worths").checked && this.evaluation ? this.evaluation.worths : {};
    this.board.draw(lines.map(line => line.moves[0]?.uci).filter(Boolean), shown);
  }

  /** Rows and buttons stay in their places, so that one keeps the focus, or a press that has begun. */
  drawLines(lines) {
    const place = find("lines");
    setCount(place, lines.length, () => this.row());
    lines.forEach((line, rank) => this.drawLine(place.children[rank], line, rank));
  }

  row() {
    const row = make("li");
    row.append(make("b"), make("span"));
    return row;
  }

  drawLine(row, line, rank) {
    const [score, moves] = row.children;
    const [win, draw, loss] = line.chances.map(chance => Math.round(100 * chance));
    score.textContent = line.score;
    score.title = `White wins ${win} %, draw ${draw} %, Black wins ${loss} %`;
    setCount(moves, line.moves.length, i => this.button(rank, i));
    const texts = numbered(line.moves.map(move => move.san), this.lines.ply);
    texts.forEach((text, i) => (moves.children[i].textContent = text));
  }

  /** Plays the moves up to one of a line, as they are when it is pressed. */
  button(rank, last) {
    const button = make("button");
    button.onclick = () => this.play(this.lines.lines[rank].moves.slice(0, last + 1).map(move => move.uci));
    return button;
  }

  drawBar(line) {
    const bar = find("bar");
    bar.hidden = !this.game?.analysis.lines;
    bar.classList.toggle("turned", this.board.orientation === "black");
    if (!line) return;
    bar.firstElementChild.style.height = `${100 * line.bar}%`;
    bar.lastElementChild.textContent = narrow(line.score);
    bar.classList.toggle("black", line.bar < 0.5);
    bar.setAttribute("aria-label", `White's chances ${Math.round(100 * line.bar)} %`);
  }

  drawTerms() {
    const place = find("evaluation");
    find("worths").parentElement.hidden = !this.evaluation;
    place.replaceChildren();
    if (!this.evaluation) return;
    const { score, network, classical, terms } = this.evaluation;
    const parts = [`evaluation ${points(score)}`, network === null ? "" : `network ${points(network)}`, `terms ${points(classical)}`];
    place.append(make("p", `${parts.filter(Boolean).join(", ")} for White, without searching`, { class: "quiet" }));
    place.append(termTable(terms));
  }
}

function whyNoLines({ analysis, match, waiting }) {
  if (waiting) return ALL_AT_WORK;
  return analysis.lines && match?.thinking ? "the engine is choosing its move" : "";
}

/** Let an element have so many children; `create` makes those that are missing. */
function setCount(parent, count, create) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(create(parent.children.length));
}

function termTable(terms) {
  const table = make("table");
  const head = make("tr");
  for (const text of ["middle game / end game", "White", "Black", "difference"])
    head.append(make("th", text, { scope: "col" }));
  table.append(make("thead"), make("tbody"));
  table.tHead.append(head);
  for (const { name, white, black } of terms) {
    if (![...white, ...black].some(Boolean)) continue;
    const row = make("tr");
    row.append(make("th", name, { scope: "row" }));
    const difference = [white[0] - black[0], white[1] - black[1]];
    for (const values of [white, black, difference]) row.append(make("td", pair(values)));
    table.tBodies[0].append(row);
  }
  const around = make("div", "", { class: "scroll" });
  around.append(table);
  return around;
}
