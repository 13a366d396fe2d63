// The matrix of a suite, tests by models. Of its rows the page has those in sight and a
// few around them; what they say is fetched in blocks, and changes as the suite runs.

const BLOCK = 200; // tests fetched at once
const KEEP = 40; // blocks kept
const AROUND = 6; // rows beyond the edges
// Browsers do not scroll further than this; longer lists are scrolled in proportion.
const TALLEST = 8_000_000;

/** @type {Record<string, string[] | undefined>} */
const MARKS = { a: ["✓", "allowed"], f: ["✗", "forbidden"], u: ["?", "unknown"], e: ["!", "error"], ".": ["·", "waiting"] };

/**
 * @param {number} n
 * @param {number} low
 * @param {number} high
 */
const clamp = (n, low, high) => Math.max(low, Math.min(n, high));

/** @param {number} ms */
function took(ms) {
  if (!ms) return "";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return ms < 999.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/**
 * mount takes the plain table over.
 * @param {HTMLElement} section
 * @param {{id: string, tests: number, models: number, running: boolean}} suite
 * @param {string} nonce
 * @returns what is told of rows: take(rows) for those that have come, and stale(now) when
 *   a filter may find others
 */
export function mount(section, suite, nonce) {
  const view = section.querySelector(".window");
  const table = view.querySelector("table");
  const body = table.tBodies[0];
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const columns = [...table.querySelectorAll("th.model")].map((th) => th.querySelector("bdi").textContent);
  const names = [...table.querySelectorAll("th.model")].map((th) => th.dataset.model);

  /** @type {Uint32Array | null} */
  let list = null; // the tests that pass the filter; null = all
  let length = suite.tests;
  /** @type {Map<number, SuiteRow[]>} */
  let blocks = new Map(); // by their place in the list, those used last at the end
  /** @type {Map<number, AbortController>} */
  let fetching = new Map(); // … each with its AbortController
  let at = { row: 0, col: 0 }; // where the keyboard is
  let rowHeight = 30;
  /** @type {HTMLTableRowElement[]} */
  let pool = [];

  /** @param {number} i */
  const place = (i) => (list ? list[i] : i);
  const full = () => length * rowHeight;
  const height = () => Math.min(full(), TALLEST);
  const room = () => Math.max(rowHeight, view.clientHeight - table.querySelector("thead").offsetHeight);

  // top is the place, in pixels of the whole list, of what is at the upper edge.
  function top() {
    const most = height() - room();
    if (height() === full() || most <= 0) return view.scrollTop;
    return clamp(view.scrollTop / most, 0, 1) * (full() - room());
  }

  // reach scrolls until a place of the whole list is at the upper edge.
  /** @param {number} px */
  function reach(px) {
    const most = full() - room();
    const to = clamp(px, 0, Math.max(0, most));
    view.scrollTop = height() === full() ? to : (to / most) * (height() - room());
  }

  function spacer() {
    const tr = document.createElement("tr");
    tr.setAttribute("aria-hidden", "true");
    tr.className = "spacer";
    return tr;
  }
  const above = spacer();
  const below = spacer();

  function makeRow() {
    const tr = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.className = "test";
    tr.append(head);
    for (let m = 0; m < suite.models; m++) tr.append(document.createElement("td"));
    const time = document.createElement("td");
    time.className = "number";
    tr.append(time);
    for (const cell of [...tr.cells].slice(0, -1)) {
      const a = document.createElement("a");
      a.tabIndex = -1;
      cell.append(a);
    }
    const folder = document.createElement("small");
    folder.append(document.createElement("bdi"));
    head.firstElementChild?.append(document.createElement("bdi"), " ", folder);
    return tr;
  }

  /**
   * @param {HTMLTableRowElement} tr
   * @param {number} i
   */
  function fill(tr, i) {
    const n = place(i);
    const row = blocks.get(Math.floor(i / BLOCK))?.[i % BLOCK];
    tr.setAttribute("aria-rowindex", i + 2);
    tr.classList.toggle("coming", !row);
    const key = row ? `${n} ${row.codes} ${row.ms}` : `${n}`;
    for (let c = 0; c <= suite.models; c++) {
      const active = i === at.row && c === at.col;
      tr.cells[c].classList.toggle("active", active);
      if (active) tr.cells[c].id = "active-cell";
      else tr.cells[c].removeAttribute("id");
    }
    if (tr.dataset.key === key) return;
    tr.dataset.key = key;
    const url = `/suites/${suite.id}/tests/${n}`;
    const head = /** @type {HTMLAnchorElement} */ (tr.cells[0].firstChild);
    head.href = url;
    const cut = row ? row.path.lastIndexOf("/") : -1;
    /** @type {Node} */ (head.firstChild).textContent = row ? row.path.slice(cut + 1) : "…";
    /** @type {Node} */ (/** @type {Node} */ (head.lastChild).firstChild).textContent = cut > 0 ? /** @type {SuiteRow} */ (row).path.slice(0, cut) : "";
    head.title = row ? (row.name ? `${row.name} (${row.path})` : row.path) : "";
    for (let m = 0; m < suite.models; m++) {
      const code = row ? row.codes[m] : ".";
      const [mark, word] = MARKS[code] ?? [code, code];
      const cell = tr.cells[m + 1];
      const a = /** @type {HTMLAnchorElement} */ (cell.firstChild);
      cell.className = `${cell.classList.contains("active") ? "active " : ""}cell code-${code === "." ? "w" : code}`;
      a.href = `${url}?model=${names[m]}`;
      a.textContent = row ? mark : "";
      a.title = `${columns[m]}: ${word}`;
      a.setAttribute("aria-label", a.title);
    }
    tr.cells[suite.models + 1].textContent = row ? took(row.ms) : "";
  }

  let drawn = false;
  function draw() {
    drawn = false;
    const y = top();
    const first = clamp(Math.floor(y / rowHeight) - AROUND, 0, Math.max(0, length - 1));
    const last = clamp(Math.ceil((y + room()) / rowHeight) + AROUND, 0, length);
    while (pool.length < last - first) pool.push(makeRow());
    pool.length = last - first;
    pool.forEach((tr, i) => fill(tr, first + i));
    // Rows that stay are not moved: that would end a click under way.
    const now = [above, ...pool, below];
    if (now.length !== body.rows.length || now.some((tr, i) => tr !== body.rows[i])) body.replaceChildren(...now);
    const offset = clamp(view.scrollTop - (y - first * rowHeight), 0, height());
    above.style.height = `${offset}px`;
    below.style.height = `${Math.max(0, height() - offset - (last - first) * rowHeight)}px`;
    above.hidden = offset === 0;
    table.setAttribute("aria-busy", String(asking !== null || pool.some((tr) => tr.classList.contains("coming"))));
    need(first, last);
  }

  function redraw() {
    table.setAttribute("aria-busy", "true");
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(draw);
  }

  // need fetches the blocks of rows that are in sight, once scrolling pauses; those that are
  // no longer wanted are given up.
  let soon = 0;
  /**
   * @param {number} first
   * @param {number} last
   */
  function need(first, last) {
    /** @type {number[]} */
    const wanted = [];
    for (let b = Math.floor(first / BLOCK); b <= Math.floor(Math.max(first, last - 1) / BLOCK); b++) {
      if (b * BLOCK < length) wanted.push(b);
    }
    for (const b of wanted.filter((b) => blocks.has(b))) {
      const rows = /** @type {SuiteRow[]} */ (blocks.get(b));
      blocks.delete(b);
      blocks.set(b, rows);
    }
    for (const [b, mine] of fetching) {
      if (!wanted.includes(b)) {
        mine.abort();
        fetching.delete(b);
      }
    }
    clearTimeout(soon);
    const missing = wanted.filter((b) => !blocks.has(b) && !fetching.has(b));
    if (missing.length > 0) soon = setTimeout(() => missing.forEach(load), blocks.size === 0 ? 0 : 60);
  }

  /**
   * @param {number} b
   * @param {number} _i
   * @param {number[]} _all
   */
  async function load(b, _i, _all, tries = 0) {
    if (fetching.has(b) && tries === 0) return;
    const mine = new AbortController();
    fetching.set(b, mine);
    const from = b * BLOCK;
    const to = Math.min(from + BLOCK, length);
    const n = list ? Array.from(list.subarray(from, to)).join(",") : `${from}-${to - 1}`;
    try {
      const r = await fetch(`/suites/${suite.id}/matrix?n=${n}`, { signal: mine.signal, headers: { "X-Page-Nonce": nonce } });
      if (!r.ok) throw new Error(`${r.status}`);
      /** @type {SuiteRow[]} */
      const rows = await r.json();
      if (mine.signal.aborted) return;
      fetching.delete(b);
      // What was recorded meanwhile has been told already.
      for (const row of rows) merge(row);
      blocks.set(b, rows);
      if (blocks.size > KEEP) blocks.delete(/** @type {number} */ (blocks.keys().next().value));
      redraw();
    } catch {
      if (mine.signal.aborted) return;
      setTimeout(() => !mine.signal.aborted && load(b, 0, [], tries + 1), Math.min(1000 * 2 ** tries, 30_000));
    }
  }

  // Marks that came while a block was being fetched.
  /** @type {Map<number, [number, string, number][]>} */
  let early = new Map(); // test → [[model, code, ms] …]
  /** @param {SuiteRow} row */
  function merge(row) {
    for (const [model, code, ms] of early.get(row.n) ?? []) set(row, model, code, ms);
    early.delete(row.n);
  }

  /**
   * @param {SuiteRow} row
   * @param {number} model
   * @param {string} code
   * @param {number} ms
   */
  function set(row, model, code, ms) {
    if (row.codes[model] !== ".") return;
    row.codes = row.codes.slice(0, model) + code + row.codes.slice(model + 1);
    row.ms += ms;
  }

  /** @param {number} n */
  function find(n) {
    let i = n;
    if (list) {
      let low = 0;
      let high = list.length;
      while (low < high) {
        const mid = (low + high) >> 1;
        if (list[mid] < n) low = mid + 1;
        else high = mid;
      }
      i = low;
      if (list[i] !== n) return -1;
    }
    return i;
  }

  /** @param {[number, string, number][]} rows */
  function take(rows) {
    for (const [position, code, ms] of rows) {
      const n = Math.floor(position / suite.models);
      const i = find(n);
      if (i < 0) continue;
      const b = Math.floor(i / BLOCK);
      const block = blocks.get(b);
      if (block) set(block[i % BLOCK], position % suite.models, code, ms);
      else if (fetching.has(b)) early.set(n, [...(early.get(n) ?? []), [position % suite.models, code, ms]]);
    }
    redraw();
    stale(false);
  }

  // Filters

  const query = () => {
    const q = new URLSearchParams();
    for (const [name, value] of /** @type {[string, string][]} */ (/** @type {unknown} */ (new FormData(form)))) if (value !== "") q.append(name, value);
    return q;
  };

  /** @type {AbortController | null} */
  let asking = null;
  let asked = { q: "", took: 0, at: 0 };
  async function ask(keep = false) {
    const q = query().toString();
    asking?.abort();
    const mine = (asking = new AbortController());
    table.setAttribute("aria-busy", "true");
    const start = performance.now();
    /** @type {Uint32Array | null} */
    let found = null;
    if (q !== "") {
      count.textContent = keep ? count.textContent : "…";
      try {
        const r = await fetch(`/suites/${suite.id}/matching?${q}`, { signal: mine.signal, headers: { "X-Page-Nonce": nonce } });
        /** @type {SuiteMatching & ProblemDocument} */
        const answer = await r.json();
        if (!r.ok) throw new Error(answer.detail);
        let n = 0;
        found = Uint32Array.from(answer.steps, (step) => (n += step));
      } catch (e) {
        if (mine.signal.aborted) return;
        count.textContent = e.message || "The server cannot be reached.";
        asking = null;
        redraw();
        return;
      }
      if (mine.signal.aborted) return;
    }
    asking = null;
    asked = { q, took: performance.now() - start, at: performance.now() };
    if (keep && found && list && found.length === list.length && found.every((n, i) => n === /** @type {Uint32Array} */ (list)[i])) return redraw();
    for (const f of fetching.values()) f.abort();
    fetching = new Map();
    early = new Map();
    blocks = new Map();
    list = found;
    length = found ? found.length : suite.tests;
    count.textContent = `${length.toLocaleString("en")} ${length === 1 ? "test" : "tests"}`;
    table.setAttribute("aria-rowcount", length + 1);
    if (!keep) {
      at = { row: 0, col: at.col };
      view.scrollTop = 0;
      const url = `${location.pathname}${q === "" ? "" : `?${q}`}`;
      if (url !== location.pathname + location.search) history.replaceState(null, "", url);
      document.getElementById("clear").hidden = q === "";
    } else {
      at.row = clamp(at.row, 0, Math.max(0, length - 1));
    }
    redraw();
  }

  // stale asks the filter again, where it asks for codes and the suite goes on, now and then.
  let later = 0;
  /** @param {boolean} now */
  function stale(now) {
    const q = query();
    q.delete("q");
    if (q.size === 0) return;
    if (now) ask(true);
    else if (!later) {
      later = setTimeout(() => {
        later = 0;
        ask(true);
      }, Math.max(2000, asked.took * 10));
    }
  }

  let typing = 0;
  form.addEventListener("input", (e) => {
    clearTimeout(typing);
    typing = setTimeout(ask, e.target.type === "search" ? 200 : 0);
  });
  for (const select of table.querySelectorAll("select")) select.addEventListener("change", () => ask());
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    clearTimeout(typing);
    ask();
  });
  document.getElementById("clear").addEventListener("click", (e) => {
    e.preventDefault();
    for (const control of /** @type {Iterable<Field>} */ (form.elements)) {
      if (control.type === "checkbox") control.closest("label").remove();
      else if (control.type !== "submit") control.value = "";
    }
    ask();
  });

  // Keys

  /**
   * @param {number} row
   * @param {number} col
   */
  function go(row, col) {
    at = { row: clamp(row, 0, Math.max(0, length - 1)), col: clamp(col, 0, suite.models) };
    const y = at.row * rowHeight;
    const now = top();
    if (y < now) reach(y);
    else if (y + rowHeight > now + room()) reach(y + rowHeight - room());
    draw();
    const cell = document.getElementById("active-cell");
    // Columns to the left hide behind the first one, which stays in sight.
    if (cell && at.col > 0) {
      const edge = table.querySelector("thead").rows[0].cells[0].getBoundingClientRect().right;
      const box = cell.getBoundingClientRect();
      const right = view.getBoundingClientRect().left + view.clientWidth;
      if (box.left < edge) view.scrollLeft -= edge - box.left;
      else if (box.right > right) view.scrollLeft += box.right - right;
    }
  }

  view.addEventListener("keydown", (e) => {
    if (e.target !== table || e.altKey || e.metaKey) return;
    const page = Math.max(1, Math.floor(room() / rowHeight) - 1);
    const { row, col } = at;
    const far = e.ctrlKey;
    /** @type {Record<string, [number, number] | undefined>} */
    const moves = {
      ArrowDown: [row + 1, col],
      ArrowUp: [row - 1, col],
      ArrowRight: [row, col + 1],
      ArrowLeft: [row, col - 1],
      PageDown: [row + page, col],
      PageUp: [row - page, col],
      Home: [0, far ? 0 : col],
      End: [length - 1, far ? suite.models : col],
    };
    if (e.key === "Enter") document.querySelector("#active-cell > a")?.click();
    else if (moves[e.key]) go(.../** @type {[number, number]} */ (moves[e.key]));
    else return;
    e.preventDefault();
  });
  view.addEventListener("scroll", redraw, { passive: true });
  new ResizeObserver(redraw).observe(view);

  // From here on the table is the script's.
  section.querySelector(".paging")?.remove();
  form.querySelector("[type=submit]").hidden = true;
  table.setAttribute("role", "grid");
  table.setAttribute("aria-rowcount", length + 1);
  table.setAttribute("aria-activedescendant", "active-cell");
  table.setAttribute("aria-labelledby", "matrix-title");
  table.tabIndex = 0;
  view.tabIndex = -1;
  const sample = makeRow();
  body.replaceChildren(sample);
  fill(sample, 0);
  rowHeight = sample.getBoundingClientRect().height || rowHeight;
  ask();
  return { take, stale };
}
