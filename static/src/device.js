// Runs the page's litmus test on this device, and shows the counts as a column of the table of outcomes.

import { pathTo } from "./base.js";
import { send } from "./send.js";
import { DeviceRun } from "./devicerun.js";
import { PerpetualRun } from "./perpetualrun.js";
import styles from "./css/device.css"; // its text, because pages load without it

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

const TIME = 5000; // milliseconds of a run, unless the box has its own (data-time)
const AT_ONCE = 500; // outcomes that one request names; the server's limit is higher

/** @type {WeakSet<HTMLElement>} */
const opened = new WeakSet();
let boxes = 0;

/**
 * run prepares an answer's box when it is opened: it asks how the test can run, and says why if it cannot. With the
 * button of the server's machine, the test runs there.
 * @param {HTMLElement} pane the answer
 * @param {URLSearchParams} asked the question with the test
 * @param {Element} [pressed] within the button
 */
export async function run(pane, asked, pressed) {
  if (pressed?.closest("[data-native]")) return (await import("./native.js")).run(pane, question(asked));
  const box = /** @type {HTMLElement} */ (pane.querySelector(".device"));
  if (opened.has(box)) return;
  opened.add(box);
  const [start, stop] = /** @type {HTMLButtonElement[]} */ ([box.querySelector("[data-begin]"), box.querySelector("[data-stop]")]);
  const out = /** @type {HTMLElement} */ (box.querySelector(".ran"));
  const missed = missing();
  if (missed) {
    out.textContent = missed;
    if (document.documentElement.dataset.base !== undefined && navigator.serviceWorker) await offerReload(out);
    return;
  }
  out.textContent = "Assembling the test …";
  /** @type {AssembledTest} */
  let test;
  try {
    ({ test } = /** @type {Required<Assembled>} */ (await (await send(pathTo("/device"), question(asked))).json()));
  } catch (e) {
    out.textContent = e.message;
    opened.delete(box); // opening it again tries again
    return;
  }
  out.textContent = "";
  const mode = chooseMode(box, test);
  start.disabled = false;
  start.addEventListener("click", async () => {
    const worker = pathTo(box.dataset.worker);
    const device = mode() ? new PerpetualRun(test, worker) : new DeviceRun(test, worker);
    start.hidden = true;
    stop.hidden = false;
    stop.focus();
    await count(device, new Column(pane, asked), box, stop, out);
    start.hidden = false;
    start.textContent = "Run again";
    if (document.activeElement === stop || document.activeElement === document.body) start.focus();
    stop.hidden = true;
  });
}

// missing says what this browser, window or address lacks to share memory between threads. "" means nothing.
function missing() {
  if (globalThis.crossOriginIsolated && globalThis.SharedArrayBuffer) return "";
  if (!globalThis.isSecureContext) return "Browsers share memory between threads on secure pages only. Open this page over HTTPS or from localhost.";
  if (document.documentElement.dataset.base !== undefined) {
    if (!navigator.serviceWorker)
      return "This site needs a service worker to share memory between threads, and this window has none. Private windows of some browsers block them: open the page in an ordinary window.";
    return "Reload this page once: from then on it can share memory between threads.";
  }
  if (globalThis.top !== globalThis.self) return "A page inside another page cannot share memory between threads. Open it in a tab of its own.";
  return "This browser does not let the page share memory between threads. Chrome and Edge since version 92, Firefox since 79 and Safari since 15.2 do, but some browsers inside other apps do not. A proxy that removes the headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy has the same effect.";
}

/**
 * offerReload says what to do on a static site: its pages can share memory from the second visit on, when its service
 * worker sends the headers for it.
 * @param {HTMLElement} out
 */
async function offerReload(out) {
  const workers = navigator.serviceWorker;
  if (!(await workers.getRegistration())) {
    out.textContent = "This page cannot share memory between threads. Open it over HTTPS or from localhost, in a browser with SharedArrayBuffer.";
    return;
  }
  if (!workers.controller) {
    out.textContent = "This browser is still storing the site, which a run needs. A button appears here when that is done.";
    await new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
  }
  const reload = document.createElement("button");
  reload.type = "button";
  reload.textContent = "Reload the page";
  reload.addEventListener("click", () => location.reload());
  out.replaceChildren("Reload this page once. From then on, it can share memory between threads. ", reload);
}

/**
 * chooseMode shows the choice between both ways to run, or why there is one only.
 * @param {HTMLElement} box
 * @param {AssembledTest} test
 * @returns whether the perpetual one is chosen
 */
function chooseMode(box, test) {
  const modes = /** @type {HTMLElement} */ (box.querySelector(".modes"));
  const about = /** @type {HTMLElement} */ (box.querySelector("[data-about]"));
  const [, perpetual] = modes.querySelectorAll("input");
  boxes++;
  for (const i of modes.querySelectorAll("input")) i.name = `device-${boxes}`;
  modes.hidden = !test.perpetual;
  const explain = () => {
    const waits = "The threads wait for each other before each run, so that they begin at the same time.";
    if (!test.perpetual) about.textContent = `${waits} This test cannot run without that barrier: ${test.barrierOnly}.`;
    else if (!perpetual.checked) about.textContent = waits;
    else
      about.textContent =
        "The threads wait for each other once, and then each repeats its code. Every store writes a number of its own, so that the values of the loads tell afterwards which iterations met.";
  };
  modes.addEventListener("change", explain);
  explain();
  return () => Boolean(test.perpetual) && perpetual.checked;
}

/**
 * count runs the test until the time is over, or somebody stops it.
 * @param {DeviceRun} device
 * @param {Column} column
 * @param {HTMLElement} box
 * @param {HTMLButtonElement} stop
 * @param {HTMLElement} out
 */
async function count(device, column, box, stop, out) {
  let stopped = false;
  /** @type {() => void} */
  let end = () => {};
  // A round that somebody stops is not counted: its workers end at once.
  const stopping = new Promise((done) => {
    end = () => done((stopped = true));
  });
  stop.addEventListener("click", end);
  try {
    out.textContent = "Starting the threads …";
    await device.begin();
    const until = performance.now() + Number(box.dataset.time ?? TIME);
    for (let shown = 0; !stopped && performance.now() < until && box.isConnected; ) {
      await Promise.race([device.batch(), stopping]);
      if (performance.now() - shown < 200) continue;
      shown = performance.now();
      await column.show(device);
      out.replaceChildren(...summary(device, column));
    }
    device.end();
    await column.show(device);
    out.replaceChildren(...summary(device, column), details(device));
  } catch (e) {
    out.textContent = e.message;
  } finally {
    stop.removeEventListener("click", end);
    device.end();
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
      const frame = table.parentElement;
      requestAnimationFrame(() => frame?.scrollTo({ left: frame.scrollWidth })); // the column may be out of sight
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
  const { length } = device.threads;
  const processors = navigator.hardwareConcurrency;
  const perpetual = device instanceof PerpetualRun;
  const runs = device.runs.toLocaleString("en");
  p.textContent =
    (perpetual
      ? `${runs} iterations of each thread without a barrier, in ${device.rounds} rounds; ${column.seen} different outcomes.`
      : `${runs} runs, with a barrier before each; ${column.seen} different outcomes.`) +
    (column.unshown ? ` ${column.unshown} of them are in rows that the table has not loaded: scroll it to the end, and run again.` : "") +
    (device.left ? ` ${device.left.toLocaleString("en")} further runs are not counted: a loop ran too long, or an address was wrong.` : "") +
    (processors < length ? ` This device has ${processors} processors for ${length} threads, which take turns: rare outcomes become rarer.` : "");
  if (!perpetual) return [...parts, p];
  const counting = document.createElement("p");
  counting.textContent =
    "A count is a number of frames. A frame is one iteration of each thread, and counts if its loads have read exactly what the outcome says. For each outcome and each iteration of one thread, one frame was checked. To check all frames would take time that grows with at least the square of the iterations.";
  return [...parts, p, counting];
}

/** @param {number} n */
const times = (n) => (n === 1 ? "once" : `${n.toLocaleString("en")} times`);

/**
 * details shows what was run: what WebAssembly cannot express, and the code.
 * @param {DeviceRun} device
 */
function details({ test, threads }) {
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
  for (const t of threads) {
    const title = document.createElement("h4");
    title.textContent = t.name;
    const listing = document.createElement("pre");
    listing.textContent = t.listing;
    listing.tabIndex = 0;
    box.append(title, listing);
  }
  return box;
}
