// Runs a litmus test on the processor of this device: each thread in a worker, many cells in a batch, with one memory
// that all share. litmus/wasm describes the modules and their memory.

export const PAGE = 65536;
export const BATCH = 50; // milliseconds that a batch should take, so that counts are live and the run can stop
export const MOST = 40 << 20; // bytes of cells

/**
 * DeviceRun counts the outcomes of a test on this device.
 */
export class DeviceRun {
  /**
   * @param {AssembledTest} test
   * @param {string} script the address of deviceworker.js
   */
  constructor(test, script) {
    this.test = test;
    this.script = script;
    this.threads = test.threads; // what the workers run
    /** @type {Map<string, number>} */
    this.counts = new Map(); // by the observed numbers, in decimal, joined by commas
    this.runs = 0; // cells that were counted
    this.left = 0; // cells that were not, for example because a loop did not end
    this.size = 256; // cells of the next batch
    /** @type {Worker[]} */
    this.workers = [];
    this.most = 0; // cells of a batch, at most
    this.order = 4096; // the address of the table of cells
    this.cells = 0; // the address of the first cell
    /** @type {number[]} */
    this.results = []; // the addresses of the threads' tables of results
    this.addresses = new Int32Array(0); // the table of cells
    this.memory = this.layOut();
  }

  // layOut makes the memory.
  layOut() {
    const { test } = this;
    // The memory: the barrier's counter, the table of cells, a table of results for each thread, the cells.
    const rows = test.threads.reduce((n, t) => n + t.row * 8, 0);
    this.most = Math.min(50_000, Math.floor(MOST / (test.cell + rows + 4)));
    const align = (/** @type {number} */ n) => Math.ceil(n / 4096) * 4096;
    let at = align(this.order + 4 * this.most);
    this.results = test.threads.map((t) => {
      const here = at;
      at = align(at + this.most * t.row * 8 + 64);
      return here;
    });
    this.cells = Math.ceil(at / test.cell) * test.cell;
    const bytes = this.cells + (this.most + 1) * test.cell;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE), maximum: test.pages, shared: true });
    this.addresses = new Int32Array(memory.buffer, this.order, this.most);
    for (let i = 0; i < this.most; i++) this.addresses[i] = this.cells + i * test.cell;
    return memory;
  }

  // begin starts the workers and gives each its thread.
  async begin() {
    const modules = await Promise.all(this.threads.map((t) => compile(t.module)));
    this.workers = modules.map(() => new Worker(this.script));
    await this.all((w, i) => w.postMessage({ module: modules[i], memory: this.memory }));
  }

  /**
   * all sends each worker a message and waits for the answers.
   * @param {(worker: Worker, index: number) => void} tell
   */
  all(tell) {
    return Promise.all(this.workers.map((w, i) => this.one(w, () => tell(w, i))));
  }

  /**
   * one sends a worker a message and waits for the answer.
   * @param {Worker} w
   * @param {() => void} tell
   */
  one(w, tell) {
    return new Promise((done, fail) => {
      w.onmessage = ({ data }) => (data.problem ? fail(new Error(data.problem)) : done(data));
      w.onerror = (e) => fail(new Error(e.message || "A worker of this browser did not start."));
      tell();
    });
  }

  // batch runs some cells and counts their outcomes. The cells are in random order, so that neighbours in memory are not
  // neighbours in time.
  async batch() {
    const n = this.size;
    const { addresses } = this;
    for (let i = this.most - 1; i > this.most - 1 - n && i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      const swapped = addresses[i];
      addresses[i] = addresses[j];
      addresses[j] = swapped;
    }
    const first = this.most - n;
    this.prepare(first, n);
    new Int32Array(this.memory.buffer, 0, 1)[0] = 0;
    const begun = performance.now();
    await this.all((w, i) =>
      w.postMessage({ order: this.order + 4 * first, results: this.results[i], cells: n, seed: 1 + Math.floor(Math.random() * 0x7ffffffe) }),
    );
    this.tally(first, n);
    const took = performance.now() - begun;
    this.size = Math.max(16, Math.min(this.most, Math.floor(n * Math.min(4, BATCH / Math.max(took, 1)))));
  }

  /**
   * prepare writes the initial values of cells.
   * @param {number} first
   * @param {number} n
   */
  prepare(first, n) {
    const bytes = new Uint8Array(this.memory.buffer);
    const view = new DataView(this.memory.buffer);
    for (let i = first; i < first + n; i++) {
      const at = this.addresses[i];
      bytes.fill(0, at, at + this.test.cell);
      for (const v of this.test.initial) write(view, at + v.offset, v.bits, BigInt(v.value));
    }
  }

  /**
   * tally counts the outcomes of cells.
   * @param {number} first
   * @param {number} n
   */
  tally(first, n) {
    const view = new DataView(this.memory.buffer);
    const { threads, observed } = this.test;
    for (let i = 0; i < n; i++) {
      const rows = threads.map((t, k) => this.results[k] + i * t.row * 8);
      if (rows.some((at) => view.getUint32(at, true) || view.getUint32(at + 4, true))) {
        this.left++;
        continue;
      }
      const cell = this.addresses[first + i];
      const key = observed.map((o) => read(view, o.thread < 0 ? cell + o.index : rows[o.thread] + 8 * o.index, o.bits)).join(",");
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
      this.runs++;
    }
  }

  end() {
    for (const w of this.workers) w.terminate();
  }
}

/**
 * compile compiles a module that the server has sent in base64.
 * @param {string} text
 */
export const compile = (text) => WebAssembly.compile(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));

/**
 * @param {DataView} view
 * @param {number} at
 * @param {number} bits
 */
export function read(view, at, bits) {
  if (bits <= 8) return view.getUint8(at) & (2 ** bits - 1);
  if (bits <= 16) return view.getUint16(at, true) & (2 ** bits - 1);
  if (bits <= 32) return bits === 32 ? view.getUint32(at, true) : view.getUint32(at, true) & (2 ** bits - 1);
  return BigInt.asUintN(bits, view.getBigUint64(at, true));
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {number} bits
 * @param {bigint} value
 */
export function write(view, at, bits, value) {
  if (bits <= 8) view.setUint8(at, Number(value));
  else if (bits <= 16) view.setUint16(at, Number(value), true);
  else if (bits <= 32) view.setUint32(at, Number(value), true);
  else view.setBigUint64(at, value, true);
}
