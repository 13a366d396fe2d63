// The matrix of a suite, tests by models. The page contains only the visible rows and a few around them; their content
// is fetched in blocks and changes while the suite runs.

import { around, clamp, rowsInSight, scrollTopOf, topOf } from "./longlist.js";
import { activate, fill, makeRow, spacer } from "./matrixcells.js";
import { MatrixFilter } from "./matrixfilter.js";
import { MatrixRows } from "./matrixrows.js";

const USUAL = 30; // pixels, the height of a row until it is measured

/** @typedef {{id: string, tests: number, models: number, running: boolean}} Suite */

/**
 * mount takes the plain table over.
 * @param {HTMLElement} section
 * @param {Suite} suite
 * @param {string} nonce
 * @returns what is told of rows: take(rows) for those that have come, and stale(now) when
 *   a filter may find others
 */
export function mount(section, suite, nonce) {
  const matrix = new Matrix(section, suite, nonce);
  matrix.begin();
  return matrix;
}

class Matrix {
  at = { row: 0, col: 0 }; // the cell with the keyboard focus
  #rowHeight = USUAL;
  #drawn = false; // a redraw is scheduled
  /** @type {HTMLTableRowElement[]} */
  #pool = []; // the row elements on the page
  #above = spacer();
  #below = spacer();

  /**
   * @param {HTMLElement} section
   * @param {Suite} suite
   * @param {string} nonce
   */
  constructor(section, suite, nonce) {
    this.suite = suite;
    this.view = section.querySelector(".window");
    this.table = this.view.querySelector("table");
    this.body = this.table.tBodies[0];
    const heads = [...this.table.querySelectorAll("th.model")];
    this.columns = {
      suite: suite.id,
      labels: heads.map((th) => th.querySelector("bdi").textContent),
      names: heads.map((th) => th.dataset.model),
    };
    this.machines = this.table.querySelectorAll("th.machine").length;
    this.rows = new MatrixRows({ models: suite.models, tests: suite.tests, fetch: rowsOf(suite.id, nonce), came: () => this.redraw() });
    this.filter = new MatrixFilter(document.getElementById("filters"), {
      suite: suite.id,
      tests: suite.tests,
      nonce,
      list: () => this.rows.list,
      asked: () => this.#asked(),
      found: (list, keep) => this.#found(list, keep),
    });
    this.section = section;
  }

  /** begin makes the table the script's. */
  begin() {
    const { table, view } = this;
    this.section.querySelector(".paging")?.remove();
    this.filter.form.querySelector("[type=submit]").hidden = true;
    table.setAttribute("role", "grid");
    table.setAttribute("aria-rowcount", this.rows.length + 1);
    table.setAttribute("aria-activedescendant", "active-cell");
    table.setAttribute("aria-labelledby", "matrix-title");
    table.tabIndex = 0;
    view.tabIndex = -1;
    for (const select of table.querySelectorAll("select")) select.addEventListener("change", () => this.filter.ask());
    view.addEventListener("keydown", (e) => this.#key(e));
    view.addEventListener("scroll", () => this.redraw(), { passive: true });
    new ResizeObserver(() => this.redraw()).observe(view);
    const sample = makeRow(this.suite.models, this.machines);
    this.body.replaceChildren(sample);
    this.#fill(sample, 0);
    this.#rowHeight = sample.getBoundingClientRect().height || this.#rowHeight;
    this.filter.ask();
  }

  /**
   * take enters marks of rows, as the events of a suite have them.
   * @param {SuiteMark[]} marks
   */
  take(marks) {
    this.rows.take(marks);
    this.redraw();
    this.stale(false);
  }

  /** @param {boolean} now */
  stale(now) {
    this.filter.stale(now);
  }

  redraw() {
    this.table.setAttribute("aria-busy", "true");
    if (this.#drawn) return;
    this.#drawn = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** #asked is called when the filter has been asked, or has answered without changing the list. */
  #asked() {
    if (this.filter.asking) this.table.setAttribute("aria-busy", "true");
    else this.redraw();
  }

  /**
   * #found lists other tests: from the first, unless somebody is to stay where they are.
   * @param {Uint32Array | null} list
   * @param {boolean} keep
   */
  #found(list, keep) {
    this.rows.reset(list);
    const { length } = this.rows;
    this.table.setAttribute("aria-rowcount", length + 1);
    if (keep) {
      this.at.row = clamp(this.at.row, 0, Math.max(0, length - 1));
    } else {
      this.at = { row: 0, col: this.at.col };
      this.view.scrollTop = 0;
    }
    this.redraw();
  }

  /** #long is the list in its window. */
  #long() {
    const room = Math.max(this.#rowHeight, this.view.clientHeight - this.table.querySelector("thead").offsetHeight);
    return { length: this.rows.length, rowHeight: this.#rowHeight, room };
  }

  #draw() {
    this.#drawn = false;
    const long = this.#long();
    const top = topOf(long, this.view.scrollTop);
    const sight = rowsInSight(long, top);
    this.#show(sight);
    const { above, below } = around(long, this.view.scrollTop - top, sight);
    this.#above.style.height = `${above}px`;
    this.#below.style.height = `${below}px`;
    this.#above.hidden = above === 0;
    const coming = this.filter.asking || this.#pool.some((tr) => tr.classList.contains("coming"));
    this.table.setAttribute("aria-busy", String(coming));
    this.rows.need(sight.first, sight.last);
  }

  #show(/** @type {{ first: number, last: number }} */ { first, last }) {
    while (this.#pool.length < last - first) this.#pool.push(makeRow(this.suite.models, this.machines));
    this.#pool.length = last - first;
    this.#pool.forEach((tr, i) => this.#fill(tr, first + i));
    // Do not move rows that stay: that would lose a click in progress.
    const now = [this.#above, ...this.#pool, this.#below];
    const { rows } = this.body;
    if (now.length !== rows.length || now.some((tr, i) => tr !== rows[i])) this.body.replaceChildren(...now);
  }

  /**
   * @param {HTMLTableRowElement} tr
   * @param {number} i
   */
  #fill(tr, i) {
    tr.setAttribute("aria-rowindex", i + 2);
    activate(tr, i === this.at.row ? this.at.col : -1);
    fill(tr, this.rows.test(i), this.rows.row(i), this.columns);
  }

  // Keys

  #key(/** @type {Heard<"keydown">} */ e) {
    if (e.target !== this.table || e.altKey || e.metaKey) return;
    const { room, rowHeight } = this.#long();
    const page = Math.max(1, Math.floor(room / rowHeight) - 1);
    const to = moved(e, this.at, page, { row: this.rows.length - 1, col: this.suite.models + this.machines });
    if (e.key === "Enter") document.querySelector("#active-cell > a")?.click();
    else if (to) this.#go(to);
    else return;
    e.preventDefault();
  }

  #go(/** @type {{ row: number, col: number }} */ { row, col }) {
    this.at = { row: clamp(row, 0, Math.max(0, this.rows.length - 1)), col: clamp(col, 0, this.suite.models + this.machines) };
    const long = this.#long();
    const y = this.at.row * long.rowHeight;
    const now = topOf(long, this.view.scrollTop);
    if (y < now) this.view.scrollTop = scrollTopOf(long, y);
    else if (y + long.rowHeight > now + long.room) this.view.scrollTop = scrollTopOf(long, y + long.rowHeight - long.room);
    this.#draw();
    const cell = document.getElementById("active-cell");
    if (cell && this.at.col > 0) this.#reveal(cell);
  }

  /**
   * #reveal scrolls to a column: those to the left hide behind the first one, which stays in sight.
   * @param {HTMLElement} cell
   */
  #reveal(cell) {
    const { view } = this;
    const edge = this.table.querySelector("thead").rows[0].cells[0].getBoundingClientRect().right;
    const box = cell.getBoundingClientRect();
    const right = view.getBoundingClientRect().left + view.clientWidth;
    if (box.left < edge) view.scrollLeft -= edge - box.left;
    else if (box.right > right) view.scrollLeft += box.right - right;
  }
}

/**
 * rowsOf fetches rows of a suite.
 * @param {string} id
 * @param {string} nonce
 * @returns {(places: string, signal: AbortSignal) => Promise<SuiteRow[]>}
 */
const rowsOf = (id, nonce) => async (places, signal) => {
  const r = await fetch(`/suites/${id}/matrix?n=${places}`, { signal, headers: { "X-Page-Nonce": nonce } });
  if (!r.ok) throw new Error(`${r.status}`);
  return r.json();
};

/**
 * moved is where a key leads to, undefined if it leads nowhere.
 * @param {{ key: string, ctrlKey: boolean }} e
 * @param {{ row: number, col: number }} at
 * @param {number} page rows to a page
 * @param {{ row: number, col: number }} end the last row and column
 */
export function moved({ key, ctrlKey }, { row, col }, page, end) {
  /** @type {Record<string, { row: number, col: number } | undefined>} */
  const moves = {
    ArrowDown: { row: row + 1, col },
    ArrowUp: { row: row - 1, col },
    ArrowRight: { row, col: col + 1 },
    ArrowLeft: { row, col: col - 1 },
    PageDown: { row: row + page, col },
    PageUp: { row: row - page, col },
    Home: { row: 0, col: ctrlKey ? 0 : col },
    End: { row: end.row, col: ctrlKey ? end.col : col },
  };
  return moves[key];
}
