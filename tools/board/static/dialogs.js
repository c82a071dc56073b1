// The dialogs: a new game, a position, games as PGN.

import { find, notice } from "./elements.js";
import { remember, takeRefused } from "./typed.js";

const FULL_STRENGTH = 2850; // the last place of the slider
const LONGEST_PGN = 4e6;
const WIDE_MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" }; // the first bytes of a file
const OLD_ENCODING = "windows-1252"; // of many databases

/** Open a dialog; `done` is called with its form when it is confirmed: at once, before anything that is typed next. */
function open(id, done) {
  const dialog = find(id);
  const form = dialog.querySelector("form");
  form.onsubmit = event => {
    if (event.submitter?.value === "ok") done(form.elements);
  };
  dialog.showModal();
  return form.elements;
}

function showStrength(fields) {
  const elo = Number(fields.elo.value);
  fields.strength.value = elo === FULL_STRENGTH ? "full" : `${elo} Elo`;
}

/** Show the field of a start that needs one. The others are disabled: what is hidden must not hold up the form. */
function showFieldOf(start) {
  for (const label of find("new-dialog").querySelectorAll("[data-for]")) {
    label.hidden = label.dataset.for !== start;
    label.querySelector("input").disabled = label.hidden;
  }
}

function rulesIn(fields) {
  const elo = Number(fields.elo.value);
  return {
    human: fields.human.value,
    elo: elo === FULL_STRENGTH ? null : elo,
    seconds: Number(fields.seconds.value),
    minutes: fields.minutes.value ? Number(fields.minutes.value) : null,
    increment: Number(fields.increment.value),
  };
}

function startIn(fields) {
  if (fields.start.value === "fen") return { fen: fields.fen.value };
  if (fields.start.value === "960") return { chess960: fields.number.value === "" ? -1 : Number(fields.number.value) };
  return {};
}

/** The text of a file in UTF-8 or UTF-16, else in an old encoding. */
function decoded(bytes) {
  const wide = WIDE_MARKS[bytes.subarray(0, 2).join()];
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(OLD_ENCODING).decode(bytes);
  }
}

export class Dialogs {
  constructor(connection) {
    this.connection = connection;
    const fields = find("new-dialog").querySelector("form").elements;
    fields.elo.oninput = () => showStrength(fields);
    fields.start.onchange = () => showFieldOf(fields.start.value);
    showStrength(fields);
    find("save").onclick = () => this.save();
  }

  get isOpen() {
    return document.querySelector("dialog[open]") !== null;
  }

  newGame() {
    find("new-title").textContent = "New game";
    find("new-dialog").querySelector('[name="start"]').parentElement.hidden = false;
    const fields = open("new-dialog", chosen => this.connection.ask("new", { ...rulesIn(chosen), ...startIn(chosen) }));
    fields.start.onchange();
  }

  playOn() {
    find("new-title").textContent = "Play from this position";
    find("new-dialog").querySelector('[name="start"]').parentElement.hidden = true;
    showFieldOf(null);
    open("new-dialog", fields => this.connection.ask("play on", rulesIn(fields)));
  }

  setUp(game) {
    const fields = open("setup-dialog", ({ fen }) => {
      remember("set up", fen.value);
      this.connection.ask("set up", { fen: fen.value });
    });
    fields.fen.value = takeRefused("set up") ?? game.fen;
    fields.fen.select();
  }

  /** Asks for the game. The dialog opens with the answer, which can thus not come while something is pasted. */
  pgn() {
    find("pgn-dialog").querySelector("form").elements.file.value = "";
    this.connection.ask("write");
  }

  /** The game as the server has written it. */
  written({ pgn, fen }) {
    if (this.isOpen) return;
    const fields = open("pgn-dialog", chosen => this.read(chosen));
    fields.text.value = takeRefused("read") ?? pgn;
    find("fen").textContent = `FEN: ${fen}`;
  }

  async read(fields) {
    const [file] = fields.file.files;
    const text = file ? decoded(new Uint8Array(await file.arrayBuffer())) : fields.text.value;
    remember("read", file ? null : text);
    if (text.length > LONGEST_PGN) notice("this file is too large: at most 4 MB can be loaded");
    else this.connection.ask("read", { pgn: text });
  }

  save() {
    const text = find("pgn-dialog").querySelector("textarea").value;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    link.download = "game.pgn";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
