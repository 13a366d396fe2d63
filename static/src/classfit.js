// The projector's screen, which nobody scrolls: all of a question and its answer is in sight, its
// text and its drawing as large as that allows, whichever stands beside or below the other.

const LEAST = 0.25; // of the usual size of text; what needs less has no place on a screen
const READABLE = 24 / 14; // how much a drawing is enlarged whose words the last row can read on 1080 lines
const PLAIN = 0.75; // of the usual size: text that the last row can read

// What is beside what: the question, the drawing and the run.
const LAYOUTS = ["beside", "broad", "stacked", "below", "aside", "under"];

const cut = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
const isCut = (e) => cut(e) || [...e.querySelectorAll("pre, ol, .listing, .tally, .asked, .options")].some(cut);

/** shrink has an element's text as large as it can be without any of it being cut off, and gives its size; 0 if it cannot. */
function shrink(e) {
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

/** enlarged is by how much the drawing can be as things are, of what can be read; 1 where there is none. */
function enlarged(stage) {
  const drawing = stage.querySelector(".proof .drawing");
  const box = drawing?.querySelector("svg")?.viewBox.baseVal;
  if (!box?.width) return 1;
  const scale = Math.min(drawing.clientWidth / box.width, drawing.clientHeight / box.height);
  return (scale * 1080) / innerHeight / READABLE;
}

/** lay puts things into a layout, and says how well they can be read there: -1 where something is cut off. */
function lay(stage, layout) {
  stage.dataset.layout = layout;
  const texts = [stage.querySelector(".asking"), ...stage.querySelectorAll('.proof .panel:not([data-panel="graph"])')].filter((e) => e?.checkVisibility());
  const least = Math.min(...texts.map(shrink));
  return least === 0 ? -1 : 2 * Math.min(enlarged(stage), 1) + Math.min(least / PLAIN, 1) + least / 10;
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
  const worth = LAYOUTS.map((layout) => lay(stage, layout));
  lay(stage, LAYOUTS[worth.indexOf(Math.max(...worth))]);
}

/** overflowing tells whether something in a room no longer fits. */
export const overflowing = (room) => [...room.querySelectorAll(".asking")].some(isCut);
