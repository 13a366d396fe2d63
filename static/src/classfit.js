// Fits a question and its answer to the projector's screen, which nobody scrolls: text and drawing are as large as
// possible, and their arrangement is chosen for that.

const LEAST = 0.25; // smallest text size, relative to the usual one
const PLAIN = 0.75; // text size that the last row can read, relative to the usual one

// The possible arrangements of question, drawing and run.
const LAYOUTS = ["beside", "broad", "stacked", "below", "aside", "under"];
// Shares of the width for the question, or of the height for the drawing, to try if the other part is too small.
const SHARES = ["36%", "30%", "24%"];
const SHARED = ["beside", "broad", "stacked", "aside", "under"];

/** @param {Element} e */
const cut = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
/** @param {Element} e */
const isCut = (e) => cut(e) || [...e.querySelectorAll("pre, ol, .listing, .tally, .asked, .options")].some(cut);

/**
 * shrink makes an element's text as large as fits, and returns its size; 0 if it does not fit.
 * @param {HTMLElement} e
 */
function shrink(e) {
  /** @param {number} size */
  const fits = (size) => {
    e.style.fontSize = `${size}em`;
    return !isCut(e);
  };
  if (fits(1)) return 1;
  let [low, high] = [LEAST, 1];
  if (!fits(low)) return 0;
  while (high - low > 0.02) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  fits(low);
  return low;
}

/** readable is how much a drawing is enlarged whose words the last row can read: 24 pixels of 1080, and what is lost to rounding. */
const readable = () => ((24.05 / 14) * innerHeight) / 1080;

/**
 * enlarged returns the size of the drawing relative to the readable size; 1 if there is no drawing.
 * @param {HTMLElement} stage
 */
function enlarged(stage) {
  const drawing = stage.querySelector(".proof .drawing");
  const scales = [...(drawing?.querySelectorAll(":scope > svg") ?? [])].map((svg) => {
    const { width, height } = svg.viewBox.baseVal;
    return Math.min((drawing.clientWidth - 2) / width, (drawing.clientHeight - 2) / height) / readable();
  });
  if (scales.length === 0) return 1;
  // A folded drawing tells less, so prefer an unfolded one of readable size.
  return scales[0] >= 1 ? 1 : Math.min(Math.max(...scales), 0.98);
}

/**
 * lay applies a layout and returns how readable it is; -1 if something is cut off.
 * @param {HTMLElement} stage
 * @param {string} layout
 */
function lay(stage, layout, share = "") {
  stage.dataset.layout = layout;
  stage.style.setProperty("--asking", share);
  const texts = [stage.querySelector(".asking"), ...stage.querySelectorAll('.proof .panel:not([data-panel="graph"])')].filter((e) => e?.checkVisibility());
  const least = Math.min(...texts.map(shrink));
  const size = enlarged(stage);
  return least === 0 ? -1 : (size < 1 ? 4 * size : 5) + Math.min(least / PLAIN, 1) + least / 10;
}

/**
 * fitting makes the content of an element fit the window.
 * @param {HTMLElement} room
 */
export function fitting(room) {
  if (innerWidth < 1000) return; // small screens scroll
  const invite = room.querySelector(".invite > div");
  if (invite) shrink(invite);
  const stage = room.querySelector(".stage");
  if (!stage) return;
  if (!stage.querySelector(".proof")) {
    lay(stage, LAYOUTS[0]);
    return;
  }
  const graph = /** @type {HTMLElement | null} */ (stage.querySelector(".graph"));
  if (graph) graph.dataset.least = String(readable());
  /** @type {[string, string?][]} */
  const ways = LAYOUTS.map((layout) => [layout]);
  const worth = ways.map((way) => lay(stage, ...way));
  if (Math.max(...worth) < 6) {
    for (const share of SHARES) {
      for (const layout of SHARED) worth[ways.push([layout, share]) - 1] = lay(stage, layout, share);
    }
  }
  lay(stage, ...ways[worth.indexOf(Math.max(...worth))]);
}

/**
 * overflowing reports whether the content no longer fits.
 * @param {HTMLElement} room
 */
export const overflowing = (room) => [...room.querySelectorAll(".asking")].some(isCut);
