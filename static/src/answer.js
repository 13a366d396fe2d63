// The table of outcomes: choosing a cell shows its picture, columns have cards, and further rows load while the reader
// scrolls.

import { pathTo } from "./base.js";
import { send } from "./send.js";

/**
 * mount handles the pane with the answer.
 * @param {HTMLElement} pane
 * @param {AnswerHooks} on what the page wants to know:
 *   question(): the form as it was asked; picture({column, state, flag}): show one;
 *   beside(column), remove(column): do that; start(model): a model of one's own from it; goTo(line, col): in the editor
 */
export function mount(pane, on) {
  /** @type {string[]} */
  let columns = [];
  /** @type {string[]} */
  let waiting = []; // columns whose answers are missing or cancelled
  /** @type {string[]} */
  let celled = []; // columns with a cell in each row: all except those with undefined behaviour
  const table = () => pane.querySelector(".outcomes table");
  const labels = new Map();

  /** @param {HTMLButtonElement} button */
  const pickOf = (button) => {
    const row = button.closest("tr");
    const cells = [...row.querySelectorAll("button.v")];
    return { column: celled[cells.indexOf(button)], state: stateOf(row) };
  };

  /** @param {HTMLElement} row */
  const valuesOf = (row) => {
    const values = [...row.querySelectorAll("td.value")].map((td) => td.textContent);
    return [...table().querySelectorAll("thead .value")].map((th, i) => [th.textContent, values[i]]);
  };

  // stateOf returns a row's state in the server's format; "" for the row of outcomes that do not exist.
  /** @param {HTMLElement} row */
  const stateOf = (row) => ("none" in row.dataset ? "" : JSON.stringify(Object.fromEntries(valuesOf(row))));

  const press = (/** @type {Pick<Picked, "column" | "state">} */ { column, state }) => {
    const rows = [...(table()?.querySelectorAll("tbody tr") ?? [])];
    for (const b of pane.querySelectorAll("button.v[aria-pressed=true]")) b.removeAttribute("aria-pressed");
    const i = celled.indexOf(column);
    const row = rows.find((r) => stateOf(r) === state) ?? (state === "" ? rows.find((r) => r.classList.contains("asked")) : null);
    const button = row?.querySelectorAll("button.v")[i];
    button?.setAttribute("aria-pressed", "true");
  };

  /** @param {HTMLButtonElement} button */
  const choose = (button) => {
    const pick = pickOf(button);
    press(pick);
    on.picture(pick);
  };

  // name sets a cell's accessible name when it is first needed: for thousands of cells, the names would be most of the
  // page.
  /** @param {HTMLButtonElement} button */
  const name = (button) => {
    const { column } = pickOf(button);
    const row = button.closest("tr");
    const what = row.querySelector(".prop")?.textContent ?? valuesOf(row).map(([n, v]) => `${n}=${v}`).join("; ");
    const verb = /** @type {Record<string, string>} */ ({ a: "allows", f: "forbids", u: "does not decide", w: "is still checking" })[button.classList[1]];
    button.title = `${labels.get(column)} ${verb} ${what}`;
    button.setAttribute("aria-label", button.title);
  };

  // more loads the following rows.
  /** @param {HTMLElement} body */
  const more = async (body) => {
    const from = body.dataset.more;
    delete body.dataset.more;
    const r = await rows(from, pane.querySelector("#differ")?.checked);
    body.removeAttribute("data-more");
    body.append(...r.children);
    if (r.dataset.more) body.dataset.more = r.dataset.more;
    watch();
  };

  /**
   * @param {string | number} from
   * @param {boolean | undefined} differ
   */
  const rows = async (from, differ) => {
    const question = new URLSearchParams(on.question());
    question.set("rows", /** @type {string} */ (from));
    if (differ) question.set("differ", "1");
    for (const column of waiting) question.append("without", column);
    const r = await send(pathTo("/explore"), question);
    const holder = document.createElement("table");
    holder.innerHTML = await r.text();
    return holder.querySelector("tbody");
  };

  const watcher = new IntersectionObserver((entries) => {
    for (const e of entries) {
      if (!e.isIntersecting) continue;
      watcher.unobserve(e.target);
      const body = table()?.querySelector("tbody[data-more]");
      if (body) more(body).catch(() => {}); // scrolling tries again
    }
  }, { rootMargin: "400px" });

  const watch = () => {
    watcher.disconnect();
    const last = table()?.querySelector("tbody[data-more] tr:last-child");
    if (last) watcher.observe(last);
  };

  // keep tells the style sheet which columns of values stay visible when the table scrolls: those that fit into half of
  // its width.
  /** @param {HTMLElement} t */
  const keep = (t) => {
    const [mark, ...values] = t.querySelectorAll("thead .mark, thead .value");
    let left = mark?.offsetWidth ?? 0;
    values.forEach((th, i) => {
      const stays = left + th.offsetWidth <= /** @type {HTMLElement} */ (t.parentElement).clientWidth / 2;
      t.style.setProperty(`--column-${i + 2}`, stays ? `${left}px` : "auto");
      left += th.offsetWidth;
    });
  };
  const sizes = new ResizeObserver((entries) => entries.forEach((e) => keep(/** @type {HTMLElement} */ (e.target))));

  pane.addEventListener("click", (e) => {
    const place = e.target.closest("[data-line]");
    if (place) {
      e.preventDefault();
      on.goTo(Number(place.dataset.line), Number(place.dataset.col));
    }
    const flag = e.target.closest("[data-flag]");
    if (flag) on.picture({ column: flag.dataset.column, state: "", flag: flag.dataset.flag });
    if (e.target.closest("[data-run]")) import("./device.js").then((d) => d.run(pane, on.question(), e.target));
    const card = e.target.closest(".card");
    const doing = e.target.closest("[data-beside], [data-remove], [data-start]");
    if (doing?.dataset.beside) on.beside(doing.dataset.beside);
    if (doing?.dataset.remove) on.remove(doing.dataset.remove);
    if (doing?.dataset.start) on.start(doing.dataset.start);
    if (card && e.target.closest("button")) card.hidePopover?.();
  });
  for (const type of ["focusin", "mouseover"]) {
    pane.addEventListener(type, (e) => {
      const button = e.target.closest?.("button.v");
      if (button && !button.title) name(button);
    });
  }
  // Arrow keys move in the table; Tab leaves it.
  pane.addEventListener("keydown", (e) => {
    const button = e.target.closest?.("button.v");
    const step = /** @type {Record<string, number[] | undefined>} */ ({ ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] })[e.key];
    if (!button || !step || e.ctrlKey || e.metaKey || e.altKey) return;
    const all = [...table().querySelectorAll("tbody tr")].filter((r) => r.offsetParent !== null);
    const row = all.indexOf(button.closest("tr"));
    const col = [...all[row].querySelectorAll("button.v")].indexOf(button);
    const next = all[row + step[0]]?.querySelectorAll("button.v")[col + step[1]];
    if (!next || next.disabled) return;
    e.preventDefault();
    rove(next);
    next.focus();
    next.click();
  });

  // rove makes one cell the tab stop of the table.
  /** @param {HTMLElement | null} to */
  const rove = (to) => {
    for (const b of table()?.querySelectorAll("button.v") ?? []) b.tabIndex = b === to ? 0 : -1;
  };

  pane.addEventListener("change", async (e) => {
    if (e.target.id !== "differ") return;
    const body = table().querySelector("tbody");
    const all = await rows(0, e.target.checked);
    body.replaceWith(all);
    rove(all.querySelector("button.v"));
    watch();
  });

  return {
    /**
     * show inserts an answer and activates it.
     * @param {string} html
     */
    show(html) {
      pane.innerHTML = html;
      return this.take();
    },
    /**
     * take activates the answer in the pane and returns the pick that answers the question. It replaces no
     * element, since the visitor may be pressing a cell.
     */
    take() {
      columns = [...pane.querySelectorAll("thead th[data-column]")].map((th) => th.dataset.column);
      celled = [...pane.querySelectorAll("thead th[data-column]:not(.undefined)")].map((th) => th.dataset.column);
      waiting = columns.filter((_, i) => pane.querySelectorAll("thead th[data-column]")[i].querySelector("[data-running]"));
      labels.clear();
      for (const th of pane.querySelectorAll("thead th[data-column]")) labels.set(th.dataset.column, th.textContent.trim());
      rove(pane.querySelector("button.v"));
      watch();
      sizes.disconnect();
      if (table()) sizes.observe(table());
      const box = pane.querySelector(".outcomes");
      return box?.dataset.first ? { column: box.dataset.first, state: box.dataset.firstState, flag: box.dataset.firstFlag, sure: "sure" in box.dataset } : null;
    },
    /** columns are those that have answered. */
    columns: () => columns.filter((c) => !waiting.includes(c)).map((column) => ({ column, label: labels.get(column) })),
    /** @returns {CellMark[]} */
    cells: () => JSON.parse(pane.querySelector("#cells-data")?.textContent ?? "[]"),
    /** states are the rows' in order, "" for what no outcome satisfies. */
    states: () => [...(table()?.querySelectorAll("tbody tr") ?? [])].map(stateOf),
    /**
     * apart returns a state in which two columns differ: the given one if they do, else the first; null if there is none.
     * @param {string} a
     * @param {string} b
     * @param {string} state
     */
    apart(a, b, state) {
      const [i, j] = [celled.indexOf(a), celled.indexOf(b)];
      const differ = [...(table()?.querySelectorAll("tbody tr") ?? [])].filter((row) => {
        const cells = row.querySelectorAll("button.v");
        return cells[i] && cells[j] && cells[i].classList[1] !== cells[j].classList[1];
      });
      const states = differ.map(stateOf);
      return states.includes(state) ? state : (states[0] ?? null);
    },
    press,
    choose,
    /**
     * compile shows the compiled test. to is an architecture, optionally followed by a space and variants.
     * @param {string} to
     */
    compile: async (to) => (await import("./compiling.js")).compile(pane.querySelector(".compile .made"), on.question(), to),
  };
}
