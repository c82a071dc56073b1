// Light, dark, or as the system is.

import { find } from "./elements.js";

const THEMES = ["auto", "light", "dark"];

function show(theme) {
  document.documentElement.dataset.theme = theme;
  find("theme").lastElementChild.textContent = theme;
}

export function startTheme() {
  let theme = localStorage.getItem("theme");
  if (!THEMES.includes(theme)) theme = THEMES[0];
  show(theme);
  find("theme").onclick = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem("theme", theme);
    show(theme);
  };
}
