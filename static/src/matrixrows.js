// The rows of a suite's matrix that match the filter. They are fetched in blocks when they become visible, and change
// while the suite runs.

export const BLOCK = 200; // tests per request
const KEEP = 40; // maximum number of cached blocks
const REST = 60; // milliseconds without scrolling before a request

/**
 * @typedef {object} RowSource where rows come from, and who wants to know
 * @property {number} models how many the suite has
 * @property {number} tests how many the suite has
 * @property {(places: string, signal: AbortSignal) => Promise<SuiteRow[]>} fetch gets the rows of some places, "0-199" or "3,7,9"
 * @property {() => unknown} came is called when rows are there, or say something else
 */

export class MatrixRows {
  /** @type {Uint32Array | null} */
  list = null; // the tests that match the filter; null: all
  length = 0;
  /** @type {Map<number, SuiteRow[]>} */
  #blocks = new Map(); // by position in the list, least recently used first
  /** @type {Map<number, AbortController>} */
  #fetching = new Map(); // blocks being fetched
  /** @type {Map<number, [model: number, code: string, ms: number][]>} */
  #early = new Map(); // marks by test that arrived while its block was being fetched
  #soon = 0;

  /** @param {RowSource} source */
  constructor(source) {
    this.source = source;
    this.length = source.tests;
  }

  /**
   * reset starts over with the tests that pass another filter.
   * @param {Uint32Array | null} list in ascending order; null for all
   */
  reset(list) {
    for (const f of this.#fetching.values()) f.abort();
    this.#fetching = new Map();
    this.#early = new Map();
    this.#blocks = new Map();
    this.list = list;
    this.length = list ? list.length : this.source.tests;
  }

  /**
   * test is the number of the test in row i.
   * @param {number} i
   */
  test(i) {
    return this.list ? this.list[i] : i;
  }

  /**
   * row is what is known of the test in row i; undefined where nothing is yet.
   * @param {number} i
   */
  row(i) {
    return this.#blocks.get(Math.floor(i / BLOCK))?.[i % BLOCK];
  }

  /**
   * find gives the row that has test n, -1 for none.
   * @param {number} n
   */
  find(n) {
    if (!this.list) return n;
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.list[mid] < n) low = mid + 1;
      else high = mid;
    }
    return this.list[low] === n ? low : -1;
  }

  /**
   * need fetches the blocks of the rows from first to before last, once scrolling pauses, and gives up others.
   * @param {number} first
   * @param {number} last
   */
  need(first, last) {
    const wanted = this.#blocksOf(first, last);
    for (const b of wanted) this.#use(b);
    for (const [b, mine] of this.#fetching) {
      if (!wanted.includes(b)) {
        mine.abort();
        this.#fetching.delete(b);
      }
    }
    clearTimeout(this.#soon);
    const missing = wanted.filter((b) => !this.#blocks.has(b) && !this.#fetching.has(b));
    if (missing.length === 0) return;
    const load = () => missing.forEach((b) => !this.#fetching.has(b) && this.#load(b));
    this.#soon = /** @type {number} */ (setTimeout(load, this.#blocks.size === 0 ? 0 : REST));
  }

  /**
   * take enters marks that have come: [position, code, ms], where a position counts tests and models.
   * @param {SuiteMark[]} marks
   */
  take(marks) {
    for (const [position, code, ms] of marks) {
      const n = Math.floor(position / this.source.models);
      const model = position % this.source.models;
      const i = this.find(n);
      if (i < 0) continue;
      const row = this.row(i);
      if (row) mark(row, model, code, ms);
      else if (this.#fetching.has(Math.floor(i / BLOCK))) this.#early.set(n, [...(this.#early.get(n) ?? []), [model, code, ms]]);
    }
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #blocksOf(first, last) {
    /** @type {number[]} */
    const out = [];
    for (let b = Math.floor(first / BLOCK); b <= Math.floor(Math.max(first, last - 1) / BLOCK); b++) {
      if (b * BLOCK < this.length) out.push(b);
    }
    return out;
  }

  /**
   * #use puts a block behind the others, of which the first is dropped first.
   * @param {number} b
   */
  #use(b) {
    const rows = this.#blocks.get(b);
    if (!rows) return;
    this.#blocks.delete(b);
    this.#blocks.set(b, rows);
  }

  /**
   * #load fetches a block, again and again until it comes or is given up.
   * @param {number} b
   */
  async #load(b, tries = 0) {
    const mine = new AbortController();
    this.#fetching.set(b, mine);
    try {
      const rows = await this.source.fetch(this.#places(b), mine.signal);
      if (mine.signal.aborted) return;
      this.#fetching.delete(b);
      // The new marks may already be known.
      for (const row of rows) this.#merge(row);
      this.#blocks.set(b, rows);
      if (this.#blocks.size > KEEP) this.#blocks.delete(/** @type {number} */ (this.#blocks.keys().next().value));
      this.source.came();
    } catch {
      if (mine.signal.aborted) return;
      setTimeout(() => !mine.signal.aborted && this.#load(b, tries + 1), Math.min(1000 * 2 ** tries, 30_000));
    }
  }

  /**
   * #places names the tests of a block, as the server reads them.
   * @param {number} b
   */
  #places(b) {
    const from = b * BLOCK;
    const to = Math.min(from + BLOCK, this.length);
    return this.list ? Array.from(this.list.subarray(from, to)).join(",") : `${from}-${to - 1}`;
  }

  /** @param {SuiteRow} row */
  #merge(row) {
    for (const [model, code, ms] of this.#early.get(row.n) ?? []) mark(row, model, code, ms);
    this.#early.delete(row.n);
  }
}

/**
 * mark enters what a model says of a test, unless it is there.
 * @param {SuiteRow} row
 * @param {number} model
 * @param {string} code
 * @param {number} ms
 */
export function mark(row, model, code, ms) {
  if (row.codes[model] !== ".") return;
  row.codes = row.codes.slice(0, model) + code + row.codes.slice(model + 1);
  row.ms += ms;
}

/**
 * testsOf reads the tests that pass a filter: the first one's number, and then from each to the next.
 * @param {number[]} steps
 */
export function testsOf(steps) {
  let n = 0;
  return Uint32Array.from(steps, (step) => (n += step));
}

/**
 * sameTests tells whether two lists are equal.
 * @param {Uint32Array} a
 * @param {Uint32Array} b
 */
export const sameTests = (a, b) => a.length === b.length && a.every((n, i) => n === b[i]);
