// Long work that runs elsewhere: figures, plots and games, as the server reads them from its files.

import { find, make } from "./elements.js";

export class Live {
  constructor(connection) {
    this.connection = connection;
    this.newest = "";
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
    this.follow.onchange = () => this.follow.checked && this.open(1);
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

  showGames(titles) {
    this.parts.games.hidden = titles.length === 0;
    this.chooser.replaceChildren(make("option", "finished games", { value: "", disabled: "", selected: "" }),
      ...titles.map((title, i) => make("option", title, { value: i + 1 })));
    const hasNews = titles.length > 0 && titles[0] !== this.newest;
    this.newest = titles[0] ?? "";
    if (hasNews && this.follow.checked) this.connection.ask("watch", { number: 1, follow: true });
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
