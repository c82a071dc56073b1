// The page: what the server tells goes to its parts, and what the user does goes to the server.

import { ALL_AT_WORK, Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { Dialogs } from "./dialogs.js";
import { find, make, notice } from "./elements.js";
import { Live } from "./live.js";
import { MoveList } from "./moves.js";
import { startTheme } from "./theme.js";
import { refuse, remember, takeRefused } from "./typed.js";

startTheme();
let game = null;

const board = new Board(move => askMove(move));
const clocks = new Clocks();
const moves = new MoveList(node => connection.ask("go", { node }));
const connection = new Connection(hear, showState, dropped);
const dialogs = new Dialogs(connection);
const live = new Live(connection);
const analysis = new Analysis(connection, board, line => {
  if (game.match) notice("A game is being played. Press Study to try lines.");
  else connection.ask("moves", { at: game.node, moves: line.join(" ") });
});

// What the server tells.

const handlers = {
  welcome: message => (find("version").textContent = message.version),
  loading: message => (find("said").textContent = message.text),
  game: showGame,
  lines: message => analysis.hearLines(message),
  evaluation: message => analysis.hearEvaluation(message),
  notice: hearNotice,
  games: showGames,
  written: message => dialogs.written(message),
  live: message => live.show(message),
  elsewhere: () => {},
};

function hear(message) {
  handlers[message.say](message);
}

function hearNotice({ text, about }) {
  notice(text);
  putBack(about);
}

/** Put a text back that was refused. The dialogs show theirs when they are opened. */
function putBack(what) {
  refuse(what);
  if (what === "move") find("typed").value ||= takeRefused(what) ?? "";
}

function showGame(message) {
  const isNew = game === null || game.match?.human !== message.match?.human;
  game = message;
  if (isNew && game.match) board.orientation = game.match.human === "black" ? "black" : "white";
  board.show(game);
  moves.show(game);
  analysis.show(game);
  showPlayers();
  clocks.set(game.match?.clocks ?? null, board.orientation);
  showButtons();
  find("said").textContent = whatHappens();
  find("comment").textContent = game.comment;
  showOpened();
  document.body.dataset.ready = "true";
}

function showPlayers() {
  const names = playerNames();
  const [lower, upper] = board.orientation === "white" ? ["white", "black"] : ["black", "white"];
  find("lower").querySelector(".name").textContent = names[lower];
  find("upper").querySelector(".name").textContent = names[upper];
}

function playerNames() {
  const { match, headers } = game;
  if (!match) return { white: headers.White ?? "White", black: headers.Black ?? "Black" };
  const engine = match.elo ? `BlueKrait, ${match.elo} Elo` : "BlueKrait, full strength";
  return {
    white: match.human === "black" ? engine : match.human === "white" ? "You" : "White",
    black: match.human === "white" ? engine : match.human === "black" ? "You" : "Black",
  };
}

function showButtons() {
  const { match, outcome } = game;
  find("back").disabled = !(match ? match.can_take_back : game.last.length);
  find("now").hidden = !match?.thinking;
  find("resign").hidden = !match || Boolean(outcome) || match.human === "both";
  find("study").hidden = !match;
  find("on").hidden = Boolean(match);
}

function whatHappens() {
  const { match, outcome, turn } = game;
  const side = turn === "white" ? "White" : "Black";
  const last = game.moves.find(move => move.node === game.node); // for those who do not see the board
  const before = last ? `${last.san}, ` : "";
  if (outcome) return `${outcome.result}, ${outcome.reason}`;
  if (!match) return `${before}${side} to move${game.chess960 ? ", Chess960" : ""}`;
  if (game.node !== match.tip) return "an earlier position: the game goes on at its end";
  if (match.thinking) return game.waiting ? `${ALL_AT_WORK}: BlueKrait moves when one is free` : "BlueKrait is thinking";
  return `${before}${match.human === "both" ? `${side} to move` : "your move"}`;
}

function showGames({ titles }) {
  remember("read", null); // the text can be left, even if its first game is wrong
  find("chooser").hidden = titles.length === 0;
  find("games").replaceChildren(...titles.map((title, i) => make("option", `${i + 1}. ${title}`, { value: i + 1 })));
}

function showOpened() {
  find("games").value = game.listed ?? "";
}

const STATES = {
  open: "",
  lost: "The connection is lost. Trying again; if `bluekrait play` has ended, start it again and open the address that it prints.",
  elsewhere: "This game is open in another tab.",
  full: "Too many pages are open.",
};

function showState(state) {
  const place = find("state");
  place.replaceChildren(STATES[state]);
  document.body.dataset.connection = state;
  if (state === "elsewhere") {
    const button = make("button", "Go on here");
    button.onclick = () => connection.retry();
    place.append(" ", button);
  }
  if (state !== "open") {
    board.freeze();
    clocks.stop();
  }
}

/** Without a connection, boxes and lists go back to what the game says. The board stays frozen, and the clocks stand. */
function dropped(what) {
  notice("There is no connection: nothing was done.");
  putBack(what);
  if (!game) return;
  analysis.show(game);
  showOpened();
}

// What the user does.

function askMove(move, typed = null) {
  remember("move", typed);
  connection.ask("move", { at: game.node, move });
}

const actions = {
  new: () => dialogs.newGame(),
  back: () => connection.ask("take back"),
  now: () => connection.ask("move now"),
  resign: () => connection.ask("resign"),
  study: () => connection.ask("study"),
  on: () => dialogs.playOn(),
  setup: () => dialogs.setUp(game),
  pgn: () => dialogs.pgn(),
};
// Buttons and keys do nothing until the server has told the game.
for (const [id, action] of Object.entries(actions)) find(id).onclick = () => game && action();
for (const button of document.querySelectorAll("[data-step]")) button.onclick = () => game && step(button.dataset.step);
find("games").onchange = event => connection.ask("open", { number: Number(event.target.value) });
find("typing").onsubmit = event => {
  event.preventDefault();
  const typed = find("typed").value.trim();
  if (!typed) return;
  if (!connection.isOpen || !Object.keys(game?.destinations ?? {}).length) {
    notice("No move can be made now.");
    return;
  }
  find("typed").value = "";
  askMove(typed, typed);
};

function step(name) {
  if (name !== "turn") return moves.step(name);
  board.turn();
  showPlayers();
  clocks.turn(board.orientation);
  analysis.draw();
}

const KEYS = {
  Home: () => step("first"), ArrowLeft: () => step("back"), ArrowRight: () => step("on"), End: () => step("last"),
  f: () => step("turn"), n: actions.new, u: actions.back, s: actions.setup, p: actions.pgn,
  a: () => find("analyse").click(), e: () => find("terms").click(), " ": actions.now,
};
addEventListener("click", event => { // after a press by the mouse, the keys are for the board again
  const isByMouse = event.detail > 0;
  if (isByMouse && !dialogs.isOpen) event.target.closest("button, input[type=checkbox]")?.blur();
}, true);
addEventListener("keydown", event => {
  const isStep = ["ArrowLeft", "ArrowRight"].includes(event.key); // up and down are for lists
  if (event.target.closest(`input:not([type=checkbox]), textarea${isStep ? "" : ", select"}`)) return; // somebody is typing
  if (event.target.closest("button, input") && [" ", "Enter"].includes(event.key)) return; // and this presses it
  if (event.ctrlKey || event.metaKey || event.altKey || dialogs.isOpen || !game) return;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});
