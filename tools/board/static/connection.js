// The connection to the server. It comes back by itself; the game is kept there.

const NAME = "visitor"; // under which the server knows this page: each tab has its own
const ELSEWHERE = 4001;
const FULL = 4029;
const SHORTEST_PAUSE = 250; // milliseconds between two attempts; they grow
const LONGEST_PAUSE = 4000;

export class Connection {
  /** `hear` is given every message, `tell` what the state of the connection is; `drop` is called with what was not asked. */
  constructor(hear, tell, drop) {
    this.hear = hear;
    this.tell = tell;
    this.drop = drop;
    this.pause = SHORTEST_PAUSE;
    this.open();
    addEventListener("online", () => this.isLost && this.retry());
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    const address = new URL("talk", location.href);
    address.protocol = "ws:";
    address.searchParams.set(NAME, sessionStorage.getItem(NAME) ?? "");
    this.socket = new WebSocket(address);
    this.socket.onmessage = event => this.receive(JSON.parse(event.data));
    this.socket.onclose = event => this.closed(event.code);
  }

  receive(message) {
    if (message.say === "welcome") {
      sessionStorage.setItem(NAME, message.visitor);
      this.pause = SHORTEST_PAUSE;
      this.tell("open");
    }
    this.hear(message);
  }

  closed(code) {
    this.isLost = code !== ELSEWHERE && code !== FULL;
    if (code === ELSEWHERE) return this.tell("elsewhere");
    if (code === FULL) return this.tell("full");
    this.tell("lost");
    this.timer = setTimeout(() => this.retry(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  /** Connect again at once. */
  retry() {
    clearTimeout(this.timer);
    if (this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  /** Ask for something. What is asked for without a connection is dropped. */
  ask(what, fields = {}) {
    if (this.isOpen) this.socket.send(JSON.stringify({ do: what, ...fields }));
    else this.drop(what);
  }
}
