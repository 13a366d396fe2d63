// Runs a litmus test on this device without barriers: the threads meet once in a round, and then each runs its code again
// and again, on the same cell. litmus/wasm describes the modules, and why what its counter counts is right.

import { BATCH, DeviceRun, MOST, PAGE, compile } from "./devicerun.js";

const NUMBERS = 8192; // the address of the outcomes' numbers
const CELLS = 64; // places of the cell, of which each round uses one

/**
 * PerpetualRun counts the outcomes of a test that has a perpetual form. Its runs are iterations of each thread.
 */
export class PerpetualRun extends DeviceRun {
  /**
   * @param {AssembledTest} test
   * @param {string} script the address of deviceworker.js
   */
  constructor(test, script) {
    super(test, script);
    this.threads = /** @type {PerpetualTest} */ (test.perpetual).threads;
    this.rounds = 0;
    this.size = 1000; // iterations of the next round
  }

  // layOut makes the memory: the barrier's counter, the address of the cell, the numbers of outcomes, each thread's table
  // of the values of its loads, the cells.
  layOut() {
    const { threads, outcomes, most } = /** @type {PerpetualTest} */ (this.test.perpetual);
    const align = (/** @type {number} */ n) => Math.ceil(n / 4096) * 4096;
    const row = threads.reduce((n, t) => n + t.row * 8, 0);
    this.most = Math.min(most, Math.floor(MOST / row));
    let at = align(NUMBERS + 4 * outcomes.length);
    this.results = threads.map((t) => {
      const here = at;
      at = align(at + this.most * t.row * 8 + 64);
      return here;
    });
    this.cells = Math.ceil(at / this.test.cell) * this.test.cell;
    const bytes = this.cells + (CELLS + 1) * this.test.cell;
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE), maximum: this.test.pages, shared: true });
  }

  // begin starts the workers. The first one also gets the counter.
  async begin() {
    await super.begin();
    const module = await compile(/** @type {PerpetualTest} */ (this.test.perpetual).counter);
    await this.one(this.workers[0], () => this.workers[0].postMessage({ counter: module, memory: this.memory }));
  }

  // batch runs a round of iterations and counts their outcomes.
  async batch() {
    const n = this.size;
    const { outcomes } = /** @type {PerpetualTest} */ (this.test.perpetual);
    const cell = this.cells + Math.floor(Math.random() * CELLS) * this.test.cell;
    new Uint8Array(this.memory.buffer, cell, this.test.cell).fill(0);
    new Int32Array(this.memory.buffer, this.order, 1)[0] = cell;
    new Int32Array(this.memory.buffer, 0, 1)[0] = 0;
    const numbers = new Int32Array(this.memory.buffer, NUMBERS, outcomes.length).fill(0);
    const begun = performance.now();
    await this.all((w, i) => w.postMessage({ order: this.order, results: this.results[i], cells: n, seed: 1 }));
    await this.one(this.workers[0], () => this.workers[0].postMessage({ tables: this.results, results: NUMBERS, cells: n }));
    outcomes.forEach((values, i) => {
      const key = values.join(",");
      if (numbers[i]) this.counts.set(key, (this.counts.get(key) ?? 0) + numbers[i]);
    });
    this.runs += n;
    this.rounds++;
    const took = performance.now() - begun;
    this.size = Math.max(1000, Math.min(this.most, Math.floor(n * Math.min(4, BATCH / Math.max(took, 1)))));
  }
}
