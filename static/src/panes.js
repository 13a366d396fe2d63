// Sizes of the panes: separators that can be dragged or moved with arrow keys. The browser stores the sizes.

const kept = "litmuscope-panes";

/**
 * activate puts the lines between the panes.
 * @param {HTMLElement} bench
 */
export function activate(bench) {
  /** @type {Record<string, number>} */
  let sizes = {};
  try {
    sizes = JSON.parse(localStorage.getItem(kept) ?? "{}");
  } catch {
    // no storage or invalid content: default sizes
  }
  /**
   * @param {string} name
   * @param {number} share
   */
  const set = (name, share) => {
    sizes[name] = share;
    bench.style.setProperty(`--${name}`, `${(share * 100).toFixed(1)}%`);
    try {
      localStorage.setItem(kept, JSON.stringify(sizes));
    } catch {
      // no storage: the sizes last as long as the page
    }
  };
  /**
   * @param {string} name
   * @param {HTMLElement} pane
   * @param {string} label
   * @param {boolean} vertical
   */
  const line = (name, pane, label, vertical) => {
    const bar = document.createElement("div");
    bar.className = `splitter ${name}`;
    bar.tabIndex = 0;
    bar.setAttribute("role", "separator");
    bar.setAttribute("aria-orientation", vertical ? "vertical" : "horizontal");
    bar.setAttribute("aria-label", label);
    const share = () => {
      const [whole, part] = [bench.getBoundingClientRect(), pane.getBoundingClientRect()];
      return vertical ? part.width / whole.width : part.height / whole.height;
    };
    /** @param {number} to */
    const move = (to) => {
      set(name, Math.min(Math.max(to, 0.12), 0.85));
      bar.setAttribute("aria-valuenow", Math.round(sizes[name] * 100));
    };
    bar.setAttribute("aria-valuenow", Math.round(share() * 100));
    bar.addEventListener("pointerdown", (e) => {
      bar.setPointerCapture(e.pointerId);
      e.preventDefault();
    });
    bar.addEventListener("pointermove", (e) => {
      if (!bar.hasPointerCapture(e.pointerId)) return;
      const whole = bench.getBoundingClientRect();
      move(vertical ? (e.clientX - whole.left) / whole.width : (e.clientY - whole.top) / whole.height);
    });
    bar.addEventListener("keydown", (e) => {
      const by = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 })[e.key];
      if (!by) return;
      e.preventDefault();
      move(share() + by);
    });
    bar.addEventListener("dblclick", () => {
      delete sizes[name];
      bench.style.removeProperty(`--${name}`);
      localStorage.setItem(kept, JSON.stringify(sizes));
    });
    pane.after(bar);
    if (sizes[name]) move(sizes[name]);
  };
  line("left", bench.querySelector("#question"), "Width of the question", true);
  line("top", bench.querySelector("#result"), "Height of the answer", false);
}
