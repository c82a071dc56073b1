"""Style and script of the page of analysed games.

The script knows no rules: every position comes with its game.
"""

STYLE = """
.study { display: grid; grid-template-columns: minmax(17rem, 26rem) minmax(16rem, 1fr); gap: 1.2rem;
  align-items: start; }
.board svg { display: block; border-radius: .4rem; touch-action: manipulation; }
.light { fill: #e9e4d6; } .dark { fill: #8ca2b8; }
.coordinate { font-size: 9px; font-weight: 600; } .on-light { fill: #5d7890; } .on-dark { fill: #f4f1e8; }
.last { fill: #f3d35a; opacity: .55; }
.played { stroke: #1668c1; } .better { stroke: #1a7f4b; } .arrow { stroke-width: 6; opacity: .75; }
.controls { display: flex; gap: .4rem; margin: .6rem 0; }
.controls button { flex: 1; padding: .5rem 0; font-size: 1rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--line); background: var(--card); color: var(--ink); }
.moves { max-height: 22rem; overflow-y: auto; padding: .6rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); line-height: 1.9; }
.moves button { border: 0; padding: .05rem .3rem; border-radius: .3rem; background: none; color: inherit;
  font: inherit; cursor: pointer; }
.moves button[aria-current="true"], .points tr[aria-current="true"] { background: var(--band); }
.moves button.bad { color: var(--bad); font-weight: 600; }
.moves .number { color: var(--quiet); margin-left: .3rem; } .moves .turn { display: inline-block; }
.curve { cursor: crosshair; border: 1px solid var(--line); border-radius: .4rem; touch-action: none; }
.curve .area { fill: var(--band); } .curve .edge { fill: none; stroke: var(--accent); stroke-width: 1.5; }
.curve .middle { stroke: var(--quiet); stroke-width: .5; } .curve .now { stroke: var(--ink); }
.curve .fault { fill: var(--bad); }
.points tr { cursor: pointer; } .points th:last-child, .points td:last-child { text-align: left; }
.points button { border: 0; padding: 0; background: none; color: inherit; font: inherit; cursor: pointer;
  white-space: nowrap; }
[hidden] { display: none !important; }
#about { margin-bottom: 1rem; } .said { min-height: 3rem; margin: .5rem 0; }
select { max-width: 100%; padding: .4rem; font: inherit; border-radius: .4rem; background: var(--card);
  color: var(--ink); border: 1px solid var(--line); }
@media screen and (max-width: 46rem) {
  .study { grid-template-columns: minmax(0, 1fr); }
  .points, .points thead, .points tbody { display: block; }
  .points tr { display: grid; grid-template-columns: minmax(0, 1fr) 5.5rem 4rem; align-items: end; }
  .points th, .points td:last-child { white-space: normal; }
  .points th:last-child, .points td:last-child { grid-column: 1 / -1; }
  .points th:not(:last-child), .points td:not(:last-child) { border: 0; padding-bottom: 0; }
}
@media print {
  body { max-width: none; padding: 0; } .controls { display: none; }
  .study { grid-template-columns: 8.5cm minmax(0, 1fr); }
  .moves { max-height: none; border: 0; padding: 0; background: none; }
  .moves button[aria-current="true"] { background: none; }
  .points td:last-child { white-space: normal; } .points tr { break-inside: avoid; }
  select { border: 0; padding: 0; background: none; appearance: none; }
}
"""

BODY = """
<p><label>Game <select id="chooser"></select></label></p>
<p class="quiet" id="about"></p>
<div class="study">
<div>
<div class="board"><svg id="board" viewBox="0 0 360 360" role="img" aria-label="board"></svg></div>
<div class="controls" role="group" aria-label="steps through the game">
<button data-go="first" title="first position (Home)" aria-label="first position">|◀</button>
<button data-go="back" title="one move back (←)" aria-label="one move back">◀</button>
<button data-go="on" title="one move on (→)" aria-label="one move on">▶</button>
<button data-go="last" title="last position (End)" aria-label="last position">▶|</button>
<button data-go="flip" title="turn the board (F)" aria-label="turn the board">⇅</button>
</div>
<div class="said" id="said" aria-live="polite"></div>
</div>
<div id="course">
<svg id="curve" class="curve" viewBox="0 0 600 120" preserveAspectRatio="none" role="img"
  aria-label="White's chances"></svg>
<p class="quiet">White's chances, move by move</p>
<div class="moves" id="moves" role="group" aria-label="moves"></div>
</div>
</div>
<div id="turns">
<h2>Turning points</h2>
<div class="scroll"><table class="points">
<thead><tr><th scope="col">move</th><th scope="col">chances before</th><th scope="col">after</th>
<th scope="col">better was</th></tr></thead>
<tbody id="points"></tbody></table></div>
</div>
<noscript><p>This page needs JavaScript to show the games.</p></noscript>
"""

SCRIPT = """
const games = JSON.parse(document.getElementById("games").textContent);
const find = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let game = games[0], ply = 0, flipped = false;

function draw(parent, kind, attributes) {
  const element = document.createElementNS(SVG, kind);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  parent.appendChild(element);
  return element;
}
function write(parent, kind, text, style) {
  const element = document.createElement(kind);
  element.textContent = text;
  if (style) element.className = style;
  parent.appendChild(element);
  return element;
}
const pieces = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const faults = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const percent = chance => Math.round(100 * chance) + " %";

function place(square) {
  const file = square.charCodeAt(0) - 97, rank = 56 - square.charCodeAt(1);
  return flipped ? [45 * (7 - file), 45 * (7 - rank)] : [45 * file, 45 * rank];
}
function arrow(board, move, style) {
  const [x1, y1] = place(move.slice(0, 2)), [x2, y2] = place(move.slice(2, 4));
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  draw(board, "line", { class: "arrow " + style, x1: x1 + 22.5, y1: y1 + 22.5,
    x2: x2 + 22.5 - 14 * (x2 - x1) / length, y2: y2 + 22.5 - 14 * (y2 - y1) / length,
    "marker-end": "url(#head-" + style + ")" });
}
function drawBoard() {
  const board = find("board"), move = game.moves[ply - 1];
  board.replaceChildren();
  const heads = draw(board, "defs", {});
  for (const style of ["played", "better"]) {
    const head = draw(heads, "marker", { id: "head-" + style, viewBox: "0 0 4 4", refX: 1, refY: 2,
      markerWidth: 3, markerHeight: 3, orient: "auto" });
    draw(head, "path", { d: "M0 0L4 2L0 4z", fill: style === "played" ? "#1668c1" : "#1a7f4b" });
  }
  for (let i = 0; i < 64; i++)
    draw(board, "rect", { class: (i + (i >> 3)) & 1 ? "dark" : "light", x: 45 * (i & 7), y: 45 * (i >> 3),
      width: 45, height: 45 });
  if (move) for (const square of [move.uci.slice(0, 2), move.uci.slice(2, 4)]) {
    const [x, y] = place(square);
    draw(board, "rect", { class: "last", x, y, width: 45, height: 45 });
  }
  drawCoordinates(board);
  drawPieces(board, move ? move.board : game.board);
  const next = game.moves[ply];
  if (next) arrow(board, next.uci, "played");
  if (next && next.better) arrow(board, next.better.uci, "better");
}
function drawPieces(board, position) {
  const white = [], black = [];
  position.split("/").forEach((row, rank) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += Number(letter); continue; }
      const square = "abcdefgh"[file++] + (8 - rank), [x, y] = place(square), kind = letter.toLowerCase();
      draw(board, "use", { href: "#piece-" + letter, x, y });
      (letter === kind ? black : white).push(pieces[kind] + " " + square);
    }
  });
  board.setAttribute("aria-label", "board. White: " + white.join(", ") + ". Black: " + black.join(", "));
}
function drawCoordinates(board) {
  for (let i = 0; i < 8; i++) {
    const file = "abcdefgh"[flipped ? 7 - i : i], rank = flipped ? i + 1 : 8 - i;
    const shades = ["coordinate on-light", "coordinate on-dark"];
    draw(board, "text", { class: shades[i & 1], x: 2, y: 45 * i + 10 }).textContent = rank;
    draw(board, "text", { class: shades[1 - (i & 1)], x: 45 * i + 43, y: 357, "text-anchor": "end" })
      .textContent = file;
  }
}
function say() {
  const said = find("said"), move = game.moves[ply - 1];
  said.replaceChildren();
  if (!move && game.moves.length) { write(said, "span", game.opening || "", "quiet"); return; }
  if (move) write(said, "b", move.number + " " + move.san + move.mark + "  ");
  const { score, chance, clock } = move || game;
  write(said, "span", score + ", White's chances " + percent(chance) + (clock ? ", clock " + clock : ""));
  if (!move) return;
  if (move.mark && move.better) {
    write(said, "br", "");
    write(said, "span", "better: " + move.better.san, "good");
  }
}
function show(where) {
  ply = Math.max(0, Math.min(game.moves.length, where));
  drawBoard();
  say();
  for (const button of document.querySelectorAll("[data-ply]"))
    button.setAttribute("aria-current", Number(button.dataset.ply) === ply);
  const current = find("moves").querySelector('[aria-current="true"]');
  if (current) find("moves").scrollTop = current.offsetTop - find("moves").offsetTop - 100;
  const now = find("now"), x = 600 * ply / Math.max(1, game.moves.length);
  if (now) { now.setAttribute("x1", x); now.setAttribute("x2", x); }
}
function drawCurve() {
  const curve = find("curve"), count = Math.max(1, game.moves.length);
  curve.replaceChildren();
  const chances = [game.chance, ...game.moves.map(move => move.chance)];
  const height = chance => (120 - 120 * chance).toFixed(1);
  const points = chances.map((chance, i) => (600 * i / count).toFixed(1) + "," + height(chance));
  draw(curve, "polygon", { class: "area", points: "0,120 " + points.join(" ") + " 600,120" });
  draw(curve, "line", { class: "middle", x1: 0, x2: 600, y1: 60, y2: 60 });
  draw(curve, "polyline", { class: "edge", points: points.join(" ") });
  game.moves.forEach((move, i) => {
    if (move.mark === "??")
      draw(curve, "circle", { class: "fault", cx: 600 * (i + 1) / count, cy: 120 - 120 * move.chance, r: 3 });
  });
  draw(curve, "line", { class: "now", id: "now", x1: 0, x2: 0, y1: 0, y2: 120 });
}
function listMoves() {
  const moves = find("moves"), points = find("points");
  moves.replaceChildren();
  points.replaceChildren();
  game.moves.forEach((move, i) => {
    const turn = write(moves, "span", "", "turn");
    if (move.white || i === 0) write(turn, "span", move.number, "number");
    const button = write(turn, "button", move.san + move.mark, move.mark ? "bad" : "");
    if (move.mark) button.setAttribute("aria-label", move.san + ", " + faults[move.mark]);
    button.dataset.ply = i + 1;
    button.onclick = () => show(i + 1);
    if (move.mark) addPoint(points, move, i);
  });
  find("course").hidden = !game.moves.length;  // a single position has no course
  find("turns").hidden = !points.children.length;
}
function addPoint(points, move, i) {
  const row = write(points, "tr", "");
  row.dataset.ply = i + 1;
  row.onclick = () => { show(i + 1); find("board").scrollIntoView({ block: "nearest" }); };
  const before = i ? game.moves[i - 1].chance : game.chance;
  write(write(row, "td", ""), "button", move.number + " " + move.san + move.mark);  // for the keyboard
  write(row, "td", percent(move.white ? before : 1 - before));
  write(row, "td", percent(move.white ? move.chance : 1 - move.chance));
  write(row, "td", move.better ? move.better.san : "");
}
function open(number) {
  game = games[number];
  find("about").textContent = game.about;
  listMoves();
  drawCurve();
  show(0);
}
const steps = { first: () => show(0), back: () => show(ply - 1), on: () => show(ply + 1),
  last: () => show(game.moves.length), flip: () => { flipped = !flipped; drawBoard(); } };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", f: "flip" };
for (const button of document.querySelectorAll("[data-go]")) button.onclick = steps[button.dataset.go];
addEventListener("keydown", event => {
  if (event.target.tagName === "SELECT" && !event.key.startsWith("Arrow")) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (step) { event.preventDefault(); steps[step](); }
});
find("curve").onpointerdown = find("curve").onpointermove = event => {
  if (event.type === "pointermove" && !event.buttons) return;
  const box = find("curve").getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * game.moves.length));
};
games.forEach((one, i) => write(find("chooser"), "option", one.title).value = i);
find("chooser").onchange = event => open(Number(event.target.value));
if (games.length) open(0);
"""
