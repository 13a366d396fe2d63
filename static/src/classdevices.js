// Runs a test on a student's device when the teacher asks for it, and reports what it has counted so far about once a
// second. Each report has all counts of the run, so that one that arrives twice, or never, changes no sum.

import { DeviceRun } from "./devicerun.js";
import { kindOfThis } from "./devicekind.js";

const REPORT = 1000; // milliseconds between two reports
const PATIENCE = 8000; // milliseconds to wait for the server to accept a report
const BEGIN = 10_000; // milliseconds for the browser to start the workers
const MOST = 100; // different outcomes that the server accepts
const FIRST = 32; // cells of the first batch: the device may be slow, or busy

/** @typedef {{ room: HTMLElement, code: string, nonce: string, replace: (html: string) => void }} Page */

/** Participation is what this page knows of its run of a test, in the run of the class that a key names. */
class Participation {
  /** @param {HTMLElement} section the part of the page about devices */
  constructor(section) {
    const { item = "", run = "", time, worker = "" } = section.dataset;
    this.key = `${item}:${run}`;
    this.item = item;
    this.run = run;
    this.time = Number(time);
    this.worker = worker;
    this.page = crypto.randomUUID();
    this.kind = "";
    /** @type {Map<string, number>} */
    this.counts = new Map(); // by the observed numbers
    this.runs = 0;
    this.left = 0;
    /** @type {Map<string, string>} */
    this.names = new Map(); // the server's texts of outcomes, by the observed numbers
    this.over = false; // nothing more is counted
    this.refused = "";
    // It stays the same element when the page is drawn anew.
    this.box = document.createElement("div");
    this.words = document.createElement("p");
    this.stop = document.createElement("button");
    this.stop.type = "button";
    this.stop.id = "stop-run";
    this.stop.textContent = "Stop the run";
    this.box.append(this.words, this.stop);
    /** @type {Promise<void>} */
    this.stopped = new Promise((done) => this.stop.addEventListener("click", () => done()));
  }

  /**
   * take takes the counts of a device, unless there are too many different outcomes.
   * @param {DeviceRun} device
   */
  take(device) {
    if (device.counts.size > MOST) return false;
    this.counts = new Map(device.counts);
    this.runs = device.runs;
    this.left = device.left;
    return true;
  }

  /** @param {string} words */
  say(words) {
    this.words.textContent = words;
    this.stop.hidden = this.over;
  }

  fields() {
    return {
      item: this.item, run: this.run, answer: "ran", page: this.page, kind: this.kind, runs: String(this.runs), left: String(this.left),
      counts: JSON.stringify(Object.fromEntries(this.counts)),
    };
  }
}

/**
 * participation returns a function that the page calls whenever it is drawn anew.
 * @param {Page} page
 */
export function participation({ room, code, nonce, replace }) {
  /** @type {Participation | null} */
  let mine = null;
  let told = ""; // the key of the run for which the server knows that this device cannot
  const headers = { "X-Page-Nonce": nonce };
  const part = () => /** @type {HTMLElement | null} */ (room.querySelector("#devices"));

  function show() {
    const section = part();
    if (!section) return;
    const { item, run, answer } = section.dataset;
    const own = /** @type {HTMLElement} */ (section.querySelector(".own"));
    if (mine?.key === `${item}:${run}`) {
      section.querySelector(".request")?.remove();
      own.replaceChildren(mine.box);
      paint(section, mine);
      return;
    }
    const reason = unable();
    const begins = section.querySelector("[data-begin]");
    if (begins) begins.hidden = false; // it works from now on
    if (!reason || answer === "ran" || !("asking" in section.dataset)) return;
    section.querySelector(".request")?.remove();
    own.textContent = `This device cannot run the test. ${reason}`;
    if (answer || told === `${item}:${run}`) return;
    told = `${item}:${run}`;
    post({ item, run, answer: "cannot" }).catch(() => (told = "")); // the next time that the page is drawn
  }

  /**
   * post sends a report once. It returns whether the server accepted it; the error of a report that the server will never
   * accept has a message for the visitor.
   * @param {Record<string, string | undefined>} fields
   * @param {Participation} [p] whose counts they are
   */
  async function post(fields, p) {
    let r;
    try {
      const body = new URLSearchParams(/** @type {Record<string, string>} */ (fields));
      r = await fetch(`/class/${code}/report`, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE) });
    } catch {
      return false;
    }
    if (r.status >= 500 || r.status === 429 || r.status === 408) return false;
    if (!r.ok) throw new Error((/** @type {Partial<ProblemDocument>} */ (await r.json().catch(() => ({})))).detail ?? "The server did not accept the counts.");
    const reply = /** @type {DeviceReply} */ (await r.json());
    for (const [key, text] of Object.entries(reply.outcomes)) p?.names.set(key, text);
    replace(reply.html);
    return true;
  }

  /** @param {Participation} p */
  async function report(p) {
    try {
      return await post(p.fields(), p);
    } catch (e) {
      p.refused = e.message;
      return true;
    }
  }

  /**
   * begin runs the test.
   * @param {HTMLElement} section
   */
  async function begin(section) {
    const p = new Participation(section);
    mine = p;
    p.say("Preparing the test …");
    show();
    let failure = "";
    let note = "";
    /** @type {DeviceRun | undefined} */
    let device;
    try {
      const r = await fetch(`/class/${code}/device?item=${p.item}&run=${p.run}`, { headers });
      if (!r.ok) throw new Error((/** @type {ProblemDocument} */ (await r.json())).detail);
      /** @type {AssembledTest} */
      const test = await r.json();
      const { length } = test.threads;
      if (navigator.hardwareConcurrency < length) note = ` Its browser names ${navigator.hardwareConcurrency} processors for ${length} threads, which may take turns: rare outcomes become rarer.`;
      p.kind = await kindOfThis();
      device = new DeviceRun(test, p.worker);
      device.size = Math.min(device.size, FIRST);
      if (!(await within(BEGIN, device.begin()))) throw new Error("The browser did not start the threads.");
      await count(p, device);
    } catch (e) {
      failure = e.message;
    }
    device?.end();
    p.over = true;
    const made = `Your device made ${p.runs.toLocaleString("en")} ${p.runs === 1 ? "run" : "runs"}.`;
    if (failure && p.runs === 0) {
      p.say(`This device could not run the test. ${failure}`);
      await post({ item: p.item, run: p.run, answer: "cannot" }, p).catch(() => {});
      return;
    }
    p.say(`${made} Sending …`);
    for (let pause = 400; !p.refused && !(await report(p)); pause = Math.min(pause * 1.6, 4000)) {
      p.say(`${made} Not sent yet: no connection. This page will send your counts later.`);
      await new Promise((done) => setTimeout(done, pause * (0.75 + Math.random() / 2)));
    }
    const many = device && device.counts.size > MOST ? ` It stopped at ${MOST} different outcomes, which is the limit.` : "";
    p.say(p.refused ? `${made} The server did not accept them: ${p.refused}` : made + note + many + (failure && ` It stopped early: ${failure}`));
    show();
  }

  /**
   * count runs batches until the time is over, or the student stops it. What a batch counts after that is left out.
   * @param {Participation} p
   * @param {DeviceRun} device
   */
  async function count(p, device) {
    const until = performance.now() + p.time;
    let due = performance.now() + REPORT;
    let sending = false;
    for (let now; (now = performance.now()) < until && !p.refused; ) {
      p.say(`Running: ${p.runs.toLocaleString("en")} runs, ${Math.ceil((until - now) / 1000)} s left.`);
      if (!(await within(until - now, device.batch(), p.stopped)) || !p.take(device)) return;
      const section = part();
      if (section) paint(section, p);
      if (performance.now() < due || sending) continue;
      due = performance.now() + REPORT;
      sending = true;
      report(p).finally(() => (sending = false));
    }
  }

  room.addEventListener("click", (e) => {
    const section = part();
    if (section && e.target.closest("[data-begin]")) begin(section);
  });
  room.addEventListener("submit", (e) => {
    if (!e.target.matches(".request")) return;
    e.preventDefault();
    const { item, run } = /** @type {HTMLElement} */ (part()).dataset;
    post({ item, run, answer: "declined" }).then(
      (taken) => taken || say("Cannot reach the server. Press again later."),
      (e) => say(e.message),
    );
  });
  /** @param {string} words */
  const say = (words) => {
    const own = part()?.querySelector(".own");
    if (own) own.textContent = words;
  };
  return show;
}

/**
 * paint writes the page's own counts into the table.
 * @param {HTMLElement} section
 * @param {Participation} p
 */
function paint(section, p) {
  if (section.dataset.item !== p.item || section.dataset.run !== p.run) return;
  /** @type {Map<string | undefined, number>} */
  const own = new Map();
  for (const [key, n] of p.counts) own.set(p.names.get(key), (own.get(p.names.get(key)) ?? 0) + n);
  for (const row of section.querySelectorAll("tr[data-outcome]")) {
    const cell = row.querySelector(".own-count");
    if (cell) cell.textContent = (own.get(row.dataset.outcome) ?? 0).toLocaleString("en");
  }
}

/**
 * within reports whether something happens in a time, and before something else.
 * @param {number} time milliseconds
 * @param {Promise<unknown>} what
 * @param {Promise<unknown>} [before]
 * @returns {Promise<boolean>}
 */
function within(time, what, before = new Promise(() => {})) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => done(false), time);
    what.then(() => done(true), fail).finally(() => clearTimeout(timer));
    before.then(() => done(false));
  });
}

/** unable returns why this device cannot run tests; "" if it can. */
function unable() {
  if (!globalThis.crossOriginIsolated) {
    return globalThis.isSecureContext
      ? "Its browser does not let pages share memory between threads."
      : "Browsers let pages share memory between threads only over HTTPS, and this page came over HTTP.";
  }
  return navigator.hardwareConcurrency < 2 ? "It has one processor, and a test needs two." : "";
}
