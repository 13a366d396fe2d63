// Scrolling of a very long list, of which only the visible rows are on the page.

// Browsers limit the height of an element; longer lists scroll in proportion.
const TALLEST = 8_000_000;
const AROUND = 6; // rows beyond each edge that are also on the page

/**
 * @param {number} n
 * @param {number} low
 * @param {number} high
 */
export const clamp = (n, low, high) => Math.max(low, Math.min(n, high));

/**
 * A Long is a list as it lies in its window, in pixels.
 * @typedef {{ length: number, rowHeight: number, room: number }} Long length in rows; room is the window's height
 */

/** full is how high the list would be. */
const full = (/** @type {Long} */ { length, rowHeight }) => length * rowHeight;

/**
 * height is how high the scrolled element is.
 * @param {Long} list
 */
export const height = (list) => Math.min(full(list), TALLEST);

/**
 * topOf is the place in the whole list of what is at the upper edge.
 * @param {Long} list
 * @param {number} scrollTop
 */
export function topOf(list, scrollTop) {
  const most = height(list) - list.room;
  if (height(list) === full(list) || most <= 0) return scrollTop;
  return clamp(scrollTop / most, 0, 1) * (full(list) - list.room);
}

/**
 * scrollTopOf is how far to scroll for a place of the whole list to be at the upper edge.
 * @param {Long} list
 * @param {number} px
 */
export function scrollTopOf(list, px) {
  const most = full(list) - list.room;
  const to = clamp(px, 0, Math.max(0, most));
  return height(list) === full(list) ? to : (to / most) * (height(list) - list.room);
}

/**
 * rowsInSight are the rows from first to before last that are to be on the page.
 * @param {Long} list
 * @param {number} top
 */
export function rowsInSight(list, top) {
  const { length, rowHeight, room } = list;
  return {
    first: clamp(Math.floor(top / rowHeight) - AROUND, 0, Math.max(0, length - 1)),
    last: clamp(Math.ceil((top + room) / rowHeight) + AROUND, 0, length),
  };
}

/**
 * around is the height of what stands in for the rows above and below those on the page.
 * @param {Long} list
 * @param {number} shift how much further the element is scrolled than the list's place at the upper edge
 * @param {{ first: number, last: number }} rows
 */
export function around(list, shift, { first, last }) {
  const above = clamp(shift + first * list.rowHeight, 0, height(list));
  return { above, below: Math.max(0, height(list) - above - (last - first) * list.rowHeight) };
}
