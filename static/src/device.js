// Runs the page's litmus test on this device, and shows the counts as a column of the table of outcomes.

import { pathTo } from "./base.js";
import { send } from "./send.js";
import { DeviceRun } from "./devicerun.js";
import styles from "./css/device.css"; // its text, because pages load without it

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

const TIME = 5000; // milliseconds of a run
const AT_ONCE = 500; // outcomes that one request names; the server's limit is higher

/**
 * run runs the test until the time is over, or somebody stops it.
 * @param {HTMLElement} pane the answer
 * @param {URLSearchParams} asked the question with the test
 */
export async function run(pane, asked) {
  const box = /** @type {HTMLElement} */ (pane.querySelector(".device"));
  const [start, stop] = /** @type {HTMLButtonElement[]} */ ([box.querySelector("[data-run]"), box.querySelector("[data-stop]")]);
  const out = /** @type {HTMLElement} */ (box.querySelector(".ran"));
  if (!globalThis.crossOriginIsolated) {
    out.textContent = navigator.serviceWorker?.controller
      ? "Reload this page once: from then on it can share memory between threads."
      : "This page cannot share memory between threads. Open it over HTTPS or from localhost, in a browser with SharedArrayBuffer.";
    return;
  }
  let stopped = false;
  const end = () => (stopped = true);
  stop.addEventListener("click", end, { once: true });
  start.hidden = true;
  stop.hidden = false;
  out.textContent = "Assembling the test …";
  /** @type {DeviceRun | undefined} */
  let device;
  try {
    const { test } = /** @type {Required<Assembled>} */ (await (await send(pathTo("/device"), question(asked))).json());
    device = new DeviceRun(test, box.dataset.worker);
    await device.begin();
    const column = new Column(pane, asked);
    const until = performance.now() + TIME;
    for (let shown = 0; !stopped && performance.now() < until && box.isConnected; ) {
      await device.batch();
      if (performance.now() - shown < 200) continue;
      shown = performance.now();
      await column.show(device);
      out.replaceChildren(...summary(device, column));
    }
    await column.show(device);
    out.replaceChildren(...summary(device, column), details(test));
  } catch (e) {
    out.textContent = e.message;
  } finally {
    device?.end();
    start.hidden = false;
    start.textContent = "Run again";
    stop.hidden = true;
  }
}

/**
 * question has the test alone.
 * @param {URLSearchParams} asked
 * @param {string[][]} [values]
 */
function question(asked, values) {
  const q = new URLSearchParams();
  q.set("source", asked.get("source") ?? "");
  if (values) q.set("values", JSON.stringify(values));
  return q;
}

/** Column is the column "this device" of the table of outcomes. */
class Column {
  /**
   * @param {HTMLElement} pane
   * @param {URLSearchParams} asked
   */
  constructor(pane, asked) {
    this.pane = pane;
    this.asked = asked;
    /** @type {Map<string, string[]>} */
    this.states = new Map(); // the printed values of an outcome, by its numbers
    /** @type {string[]} */
    this.names = []; // of the outcomes' columns
    this.seen = 0; // different outcomes
    this.unshown = 0; // of these, those whose rows the table has not loaded
    /** @type {{ state: string, count: number, models: string[] }[]} */
    this.forbidden = [];
  }

  /** @param {DeviceRun} device */
  async show(device) {
    const all = [...device.counts.keys()].filter((key) => !this.states.has(key));
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const open = all.slice(from, from + AT_ONCE);
      const values = open.map((key) => (key ? key.split(",") : []));
      const reply = /** @type {Required<Assembled>} */ (await (await send(pathTo("/device"), question(this.asked, values))).json());
      this.names = reply.names;
      open.forEach((key, i) => this.states.set(key, reply.states[i]));
    }
    /** @type {Map<string, number>} */
    const counts = new Map(); // by the printed values: cells that the filter leaves out have none
    for (const [key, n] of device.counts) {
      const state = this.states.get(key) ?? [];
      if (state.length) counts.set(JSON.stringify(state), (counts.get(JSON.stringify(state)) ?? 0) + n);
    }
    this.seen = counts.size;
    this.write(counts);
  }

  /**
   * write writes the counts into the table, and lists what was seen although models forbid it.
   * @param {Map<string, number>} counts
   */
  write(counts) {
    const table = this.pane.querySelector(".outcomes table");
    if (!table) return;
    const head = /** @type {HTMLElement} */ (table.querySelector("thead tr"));
    if (!head.querySelector(".this-device")) {
      head.insertAdjacentHTML("beforeend", `<th scope="col" class="this-device">this device</th>`);
    }
    const labels = [...head.querySelectorAll("th[data-column]:not(.undefined)")].map((th) => th.textContent.trim());
    this.forbidden = [];
    for (const row of table.querySelectorAll("tbody tr")) {
      const values = [...row.querySelectorAll("td.value")].map((td) => td.textContent);
      let cell = row.querySelector(".this-device");
      if (!cell) {
        cell = document.createElement("td");
        cell.className = "this-device";
        row.append(cell);
      }
      const count = counts.get(JSON.stringify(values)) ?? 0;
      counts.delete(JSON.stringify(values));
      cell.textContent = values.length ? (count ? count.toLocaleString("en") : "not seen") : "";
      cell.classList.toggle("quiet", !count);
      const models = [...row.querySelectorAll("button.v")].flatMap((b, i) => (b.classList.contains("f") ? [labels[i]] : []));
      cell.classList.toggle("alarm", count > 0 && models.length > 0);
      if (count && models.length) this.forbidden.push({ state: this.print(values), count, models });
    }
    const more = this.pane.querySelector("tbody[data-more]");
    this.unshown = more ? counts.size : 0;
    for (const [state, count] of more ? [] : counts) this.forbidden.push({ state: this.print(JSON.parse(state)), count, models: labels });
  }

  /** @param {string[]} values */
  print(values) {
    return values.map((v, i) => `${this.names[i]}=${v};`).join(" ");
  }
}

/**
 * summary says what was seen, outcomes that models forbid first.
 * @param {DeviceRun} device
 * @param {Column} column
 */
function summary(device, column) {
  const parts = column.forbidden.map(({ state, count, models }) => {
    const p = document.createElement("p");
    p.className = "alarm";
    const code = document.createElement("code");
    code.textContent = state;
    p.append("Seen, but forbidden by ", models.join(", "), ": ", code, ` ${times(count)}.`);
    return p;
  });
  const p = document.createElement("p");
  const { length } = device.test.threads;
  const processors = navigator.hardwareConcurrency;
  p.textContent =
    `${device.runs.toLocaleString("en")} runs, ${column.seen} different outcomes.` +
    (column.unshown ? ` ${column.unshown} of them are in rows that the table has not loaded: scroll it to the end, and run again.` : "") +
    (device.left ? ` ${device.left.toLocaleString("en")} further runs are not counted: a loop ran too long, or an address was wrong.` : "") +
    (processors < length ? ` This device has ${processors} processors for ${length} threads, which take turns: rare outcomes become rarer.` : "");
  return [...parts, p];
}

/** @param {number} n */
const times = (n) => (n === 1 ? "once" : `${n.toLocaleString("en")} times`);

/**
 * details shows what was run: what WebAssembly cannot express, and the code.
 * @param {AssembledTest} test
 */
function details(test) {
  const box = document.createElement("details");
  box.className = "ran-code";
  const summary = document.createElement("summary");
  summary.textContent = "What was run";
  const note = document.createElement("p");
  note.textContent = "Each plain access was a plain instruction of WebAssembly, which browsers compile to a plain instruction of the processor.";
  box.append(summary, note);
  if (test.changes.length) {
    const list = document.createElement("ul");
    for (const c of test.changes) {
      const item = document.createElement("li");
      if (c.source) {
        const code = document.createElement("code");
        code.textContent = c.source;
        item.append(`${c.thread}: `, code, " ");
      }
      item.append(`${c.what}${c.what.endsWith(".") ? "" : "."}`);
      list.append(item);
    }
    box.append(list);
  }
  for (const t of test.threads) {
    const title = document.createElement("h4");
    title.textContent = t.name;
    const listing = document.createElement("pre");
    listing.textContent = t.listing;
    listing.tabIndex = 0;
    box.append(title, listing);
  }
  return box;
}
