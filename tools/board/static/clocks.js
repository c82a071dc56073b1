// The two clocks: the server says what is left, and the page counts on from there.

import { find } from "./elements.js";

const SHOW_TENTHS_BELOW = 20; // seconds

function text(seconds) {
  const whole = Math.floor(seconds);
  const two = number => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const start = hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : Math.floor(whole / 60);
  const tenths = seconds < SHOW_TENTHS_BELOW ? `.${Math.floor(10 * seconds) % 10}` : "";
  return `${start}:${two(whole % 60)}${tenths}`;
}

export class Clocks {
  constructor() {
    this.clocks = null;
    setInterval(() => this.draw(), 100);
  }

  set(clocks, orientation) {
    this.clocks = clocks;
    this.lower = orientation;
    this.since = performance.now();
    this.draw();
  }

  /** Show the clock of the other side below. */
  turn(lower) {
    this.lower = lower;
    this.draw();
  }

  /** What is left stays as it is until the server tells it again. */
  stop() {
    const running = this.clocks?.running;
    if (running) this.set({ ...this.clocks, [running]: this.left(running), running: null }, this.lower);
  }

  left(side) {
    const used = this.clocks.running === side ? (performance.now() - this.since) / 1000 : 0;
    return Math.max(0, this.clocks[side] - used);
  }

  draw() {
    for (const place of ["upper", "lower"]) {
      const clock = find(place).querySelector(".clock");
      clock.hidden = !this.clocks;
      if (!this.clocks) continue;
      const side = (place === "lower") === (this.lower === "white") ? "white" : "black";
      clock.textContent = text(this.left(side));
      clock.classList.toggle("running", this.clocks.running === side);
    }
  }
}
