// Makes the elements of a row of a suite's matrix.

/** @type {Record<string, string[] | undefined>} */
const MARKS = { a: ["✓", "allowed"], f: ["✗", "forbidden"], u: ["?", "unknown"], e: ["!", "error"], ".": ["·", "waiting"] };

/** @param {number} ms */
export function took(ms) {
  if (!ms) return "";
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return ms < 999.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** spacer stands in for the rows that are not on the page. */
export function spacer() {
  const tr = document.createElement("tr");
  tr.setAttribute("aria-hidden", "true");
  tr.className = "spacer";
  return tr;
}

/**
 * makeRow makes a row for a test and as many models and machines, and how long the models took.
 * @param {number} models
 * @param {number} machines
 */
export function makeRow(models, machines) {
  const tr = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.className = "test";
  tr.append(head);
  for (let m = 0; m < models + machines; m++) tr.append(document.createElement("td"));
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
 * activate marks the cell of a row where the keyboard is.
 * @param {HTMLTableRowElement} tr
 * @param {number} col of the row; -1 for none
 */
export function activate(tr, col) {
  for (let c = 0; c < tr.cells.length - 1; c++) {
    const active = c === col;
    tr.cells[c].classList.toggle("active", active);
    if (active) tr.cells[c].id = "active-cell";
    else tr.cells[c].removeAttribute("id");
  }
}

/**
 * fill writes what is known of a test into a row, unless it says so already.
 * @param {HTMLTableRowElement} tr
 * @param {number} n the test
 * @param {SuiteRow | undefined} row undefined where it is still to come
 * @param {{ suite: string, names: string[], labels: string[] }} columns the suite's id, and names and labels of its models
 */
export function fill(tr, n, row, { suite, names, labels }) {
  tr.classList.toggle("coming", !row);
  const key = row ? `${n} ${row.codes} ${row.ms}` : `${n}`;
  if (tr.dataset.key === key) return;
  tr.dataset.key = key;
  const url = `/suites/${suite}/tests/${n}`;
  fillHead(/** @type {HTMLAnchorElement} */ (tr.cells[0].firstChild), url, row);
  names.forEach((name, m) => fillCell(tr.cells[m + 1], `${url}?model=${name}`, labels[m], row?.codes[m]));
  /** @type {SuiteSeen[]} */
  const machines = row?.machines ?? [];
  machines.forEach((seen, m) => fillMachine(tr.cells[names.length + 1 + m], url, seen));
  tr.cells[tr.cells.length - 1].textContent = row ? took(row.ms) : "";
}

/**
 * @param {HTMLAnchorElement} head
 * @param {string} url
 * @param {SuiteRow | undefined} row
 */
function fillHead(head, url, row) {
  head.href = url;
  const { folder, file } = splitPath(row?.path ?? "…");
  /** @type {Node} */ (head.firstChild).textContent = file;
  /** @type {Node} */ (/** @type {Node} */ (head.lastChild).firstChild).textContent = folder;
  head.title = row ? (row.name ? `${row.name} (${row.path})` : row.path) : "";
}

/**
 * splitPath parts a test's path at its last slash.
 * @param {string} path
 */
export function splitPath(path) {
  const cut = path.lastIndexOf("/");
  return { folder: cut > 0 ? path.slice(0, cut) : "", file: path.slice(cut + 1) };
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {string} url
 * @param {string} label
 * @param {string | undefined} code undefined where it is still to come
 */
function fillCell(cell, url, label, code) {
  const shown = code ?? ".";
  const [mark, word] = MARKS[shown] ?? [shown, shown];
  const a = /** @type {HTMLAnchorElement} */ (cell.firstChild);
  cell.className = `${cell.classList.contains("active") ? "active " : ""}cell code-${shown === "." ? "w" : shown}`;
  a.href = url;
  a.textContent = code === undefined ? "" : mark;
  a.title = `${label}: ${word}`;
  a.setAttribute("aria-label", a.title);
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {string} url
 * @param {SuiteSeen} seen
 */
function fillMachine(cell, url, seen) {
  const a = /** @type {HTMLAnchorElement} */ (cell.firstChild);
  cell.className = `${cell.classList.contains("active") ? "active " : ""}machine${seen.alarm ? " alarm" : ""}`;
  a.href = url;
  a.textContent = seen.text;
  a.title = seen.title;
}
