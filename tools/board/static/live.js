// Long work that runs elsewhere: figures, plots and games, as the server reads them from its files.

import { find, make } from "./elements.js";

export class Live {
  constructor(connection) {
    this.connection = connection;
    this.newest = null; // game
    const place = find("live");
    this.parts = {};
    for (const [name, kind] of Object.entries({ title: "h2", about: "p", tiles: "div", games: "div", plots: "div", rows: "div" })) {
      this.parts[name] = make(kind, "", { class: name });
      place.append(this.parts[name]);
    }
    this.parts.rows.classList.add("scroll");
    this.chooser = make("select", "", { "aria-label": "finished games" });
    this.chooser.onchange = () => this.open(Number(this.chooser.value));
    this.follow = make("input", "", { type: "checkbox" });
    this.follow.onchange = () => this.follow.checked && this.open(this.newest.number);
    const label = make("label");
    label.append(this.follow, " show each game that ends");
    this.parts.games.append(this.chooser, label);
  }

  show(message) {
    find("live").hidden = false;
    this.parts.title.textContent = message.title;
    this.parts.about.textContent = message.about;
    this.parts.tiles.replaceChildren(...message.tiles.map(tile));
    this.parts.plots.innerHTML = message.plots.join(""); // drawn by the server
    this.parts.rows.replaceChildren(...(message.rows.length ? [table(message.rows)] : []));
    this.showGames(message.games);
  }

  showGames(games) {
    this.parts.games.hidden = games.length === 0;
    this.chooser.replaceChildren(make("option", "finished games", { value: "", disabled: "", selected: "" }),
      ...games.map(({ number, title }) => make("option", title, { value: number })));
    const [newest = null] = games;
    const hasNews = newest && newest.title !== this.newest?.title;
    this.newest = newest;
    if (hasNews && this.follow.checked) this.connection.ask("watch", { number: newest.number, follow: true });
  }

  open(number) {
    this.connection.ask("watch", { number });
  }
}

function tile({ name, value, note, style }) {
  const element = make("div", "", { class: "tile" });
  element.append(make("small", name), make("b", value, { class: style }), make("small", note));
  return element;
}

function table([head, ...rows]) {
  const element = make("table");
  element.append(make("thead"), make("tbody"));
  element.tHead.append(row(head, "th"));
  element.tBodies[0].append(...rows.map(cells => row(cells, "td")));
  return element;
}

function row(cells, kind) {
  const element = make("tr");
  element.append(...cells.map((text, i) => make(i ? kind : "th", text)));
  return element;
}
