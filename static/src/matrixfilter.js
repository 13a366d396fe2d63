// The filter form of a suite's matrix.

import { sameTests, testsOf } from "./matrixrows.js";

const AGAIN = 2000; // minimum milliseconds between automatic refreshes of a filter

/**
 * @typedef {object} FilterHooks
 * @property {string} suite the suite's id
 * @property {number} tests how many the suite has
 * @property {string} nonce
 * @property {() => Uint32Array | null} list the tests that are listed; null for all
 * @property {() => unknown} asked is called when a filter is asked, has failed, or has found what is listed already
 * @property {(list: Uint32Array | null, keep: boolean) => unknown} found takes other tests; keep: it was asked again by itself
 */

export class MatrixFilter {
  /** @type {AbortController | null} */
  #asking = null;
  #took = 0; // duration of the last request, in milliseconds
  #later = 0;
  #count = document.getElementById("count");

  /**
   * @param {HTMLFormElement} form
   * @param {FilterHooks} on
   */
  constructor(form, on) {
    this.form = form;
    this.on = on;
    this.#listen();
  }

  get asking() {
    return this.#asking !== null;
  }

  /** query is what the fields say that say something. */
  query() {
    const q = new URLSearchParams();
    for (const [name, value] of /** @type {[string, string][]} */ (/** @type {unknown} */ (new FormData(this.form)))) {
      if (value !== "") q.append(name, value);
    }
    return q;
  }

  /** ask lists the tests that pass; keep: where somebody is in the list, they stay. */
  async ask(keep = false) {
    const q = this.query().toString();
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    this.on.asked();
    const start = performance.now();
    /** @type {Uint32Array | null} */
    let found = null;
    if (q !== "") {
      if (!keep) this.#count.textContent = "…";
      try {
        found = await this.#fetch(q, mine.signal);
      } catch (e) {
        if (!mine.signal.aborted) this.#failed(e.message);
        return;
      }
      if (mine.signal.aborted) return;
    }
    this.#asking = null;
    this.#took = performance.now() - start;
    const list = this.on.list();
    if (keep && found && list && sameTests(found, list)) {
      this.on.asked();
      return;
    }
    this.#say(found ? found.length : this.on.tests);
    if (!keep) this.#address(q);
    this.on.found(found, keep);
  }

  /**
   * stale asks again, if the filter asks what models say: at once, or now and then.
   * @param {boolean} now
   */
  stale(now) {
    const q = this.query();
    q.delete("q");
    if (q.size === 0) return;
    if (now) this.ask(true);
    else if (!this.#later) {
      this.#later = setTimeout(() => {
        this.#later = 0;
        this.ask(true);
      }, Math.max(AGAIN, this.#took * 10));
    }
  }

  /**
   * @param {string} q
   * @param {AbortSignal} signal
   */
  async #fetch(q, signal) {
    const r = await fetch(`/suites/${this.on.suite}/matching?${q}`, { signal, headers: { "X-Page-Nonce": this.on.nonce } });
    /** @type {SuiteMatching & ProblemDocument} */
    const answer = await r.json();
    if (!r.ok) throw new Error(answer.detail);
    return testsOf(answer.steps);
  }

  /** @param {string} why */
  #failed(why) {
    this.#count.textContent = why || "Cannot reach the server.";
    this.#asking = null;
    this.on.asked();
  }

  /** @param {number} n */
  #say(n) {
    this.#count.textContent = `${n.toLocaleString("en")} ${n === 1 ? "test" : "tests"}`;
  }

  /**
   * #address has the page's address say the filter.
   * @param {string} q
   */
  #address(q) {
    const url = `${location.pathname}${q === "" ? "" : `?${q}`}`;
    if (url !== location.pathname + location.search) history.replaceState(null, "", url);
    document.getElementById("clear").hidden = q === "";
  }

  #listen() {
    const { form } = this;
    let typing = 0;
    form.addEventListener("input", (e) => {
      clearTimeout(typing);
      typing = setTimeout(() => this.ask(), e.target.type === "search" ? 200 : 0);
    });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      clearTimeout(typing);
      this.ask();
    });
    document.getElementById("clear").addEventListener("click", (e) => {
      e.preventDefault();
      this.#clear();
    });
  }

  #clear() {
    for (const control of /** @type {Iterable<Field>} */ (this.form.elements)) {
      if (control.type === "checkbox") control.closest("label").remove();
      else if (control.type !== "submit") control.value = "";
    }
    this.ask();
  }
}
