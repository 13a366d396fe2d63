// The projector's screen, which nobody scrolls: all of a question and its answer is in sight, its
// text and its drawing as large as that allows, whichever stands beside or below the other.

const LEAST = 0.25; // of the usual size of text; what needs less has no place on a screen
const PLAIN = 0.75; // of the usual size: text that the last row can read

// What is beside what: the question, the drawing and the run.
const LAYOUTS = ["beside", "broad", "stacked", "below", "aside", "under"];
// What the question has of the width where the drawing beside it is too small otherwise, or the drawing of the height
// where what is above it is.
const SHARES = ["36%", "30%", "24%"];
const SHARED = ["beside", "broad", "stacked", "aside", "under"];

/** @param {Element} e */
const cut = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
/** @param {Element} e */
const isCut = (e) => cut(e) || [...e.querySelectorAll("pre, ol, .listing, .tally, .asked, .options")].some(cut);

/**
 * shrink has an element's text as large as it can be without any of it being cut off, and gives its size; 0 if it cannot.
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
 * enlarged is by how much the drawing can be as things are, of what can be read; 1 where there is none.
 * @param {HTMLElement} stage
 */
function enlarged(stage) {
  const drawing = stage.querySelector(".proof .drawing");
  const scales = [...(drawing?.querySelectorAll(":scope > svg") ?? [])].map((svg) => {
    const { width, height } = svg.viewBox.baseVal;
    return Math.min((drawing.clientWidth - 2) / width, (drawing.clientHeight - 2) / height) / readable();
  });
  if (scales.length === 0) return 1;
  // Folded it is drawn where it is too small otherwise, which tells less.
  return scales[0] >= 1 ? 1 : Math.min(Math.max(...scales), 0.98);
}

/**
 * lay puts things into a layout, and says how well they can be read there: -1 where something is cut off.
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
 * fitting makes what is in a room fit the window.
 * @param {HTMLElement} room
 */
export function fitting(room) {
  if (innerWidth < 1000) return; // which scrolls
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
 * overflowing tells whether something in a room no longer fits.
 * @param {HTMLElement} room
 */
export const overflowing = (room) => [...room.querySelectorAll(".asking")].some(isCut);
