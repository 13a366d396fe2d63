// The sheet: tests that the visitor collects for printing. Only this browser stores them, as IDs of classic tests or as
// fragments of the explorer's addresses.

import { pathTo } from "./base.js";

const KEY = "litmuscope.sheet";
/** @type {Record<string, number>} */
const { sheet: MOST } = JSON.parse(document.documentElement.dataset.limits); // the server's limit

/** items are those on the sheet. */
export function items() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(all) ? all.filter((i) => typeof i === "string").slice(0, MOST) : [];
  } catch {
    return []; // storage is off or has other content
  }
}

/**
 * keep makes some the ones on the sheet; it tells whether they are kept.
 * @param {string[]} list
 */
export function keep(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/**
 * address is that of a sheet of one's own.
 * @param {string[]} list
 */
export const address = (list) =>
  pathTo(`/sheet?${new URLSearchParams([["mine", ""], ...list.map((i) => ["item", i])])}`);

/**
 * add puts a test on the sheet, and has a link to it beside the button.
 * @param {HTMLButtonElement} button
 * @param {string} item
 * @param {(text: string) => void} say
 */
export function add(button, item, say) {
  const list = items();
  const known = list.includes(item);
  if (!known && list.length >= MOST) return say(`The sheet is full: the limit is ${MOST} tests.`);
  if (!known && !keep([...list, item])) return say("This browser stores no data, so there is no sheet.");
  const n = items().length;
  const words = `${n} ${n === 1 ? "test" : "tests"}`;
  let to = /** @type {HTMLAnchorElement} */ (button.nextElementSibling);
  if (!to?.classList.contains("to-the-sheet")) {
    to = document.createElement("a");
    to.className = "to-the-sheet";
    button.after(to);
  }
  to.href = address(items());
  to.textContent = `(${n})`;
  to.ariaLabel = to.title = `Sheet with ${words}`;
  say(`${known ? "Already on the sheet" : "Added to the sheet"}: ${words}.`);
}

/**
 * show has the sheet's own page follow what the browser has.
 * @param {HTMLElement} page
 */
export function show(page) {
  const mine = "mine" in page.dataset;
  const here = new URLSearchParams(location.search).getAll("item");
  if (!here.length && !mine && items().length) location.replace(address(items()));
  else if (mine) keep(here); // after a removal, or after going back
}
