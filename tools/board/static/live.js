// Long work that runs elsewhere: figures and plots, as the server reads them from its files.

import { find, make } from "./elements.js";

export function showLive(message) {
  const place = find("live");
  place.hidden = false;
  const tiles = make("div", "", { class: "tiles" });
  for (const { name, value, note } of message.tiles) {
    const tile = make("div", "", { class: "tile" });
    tile.append(make("small", name), make("b", value), make("small", note));
    tiles.append(tile);
  }
  const plots = make("div", "", { class: "plots" });
  plots.innerHTML = message.plots.join(""); // drawn by the server
  place.replaceChildren(make("h2", message.title), make("p", message.about, { class: "quiet" }), tiles, plots);
}
