// Shows that the server is working: after a moment, the page says what is running, for how long, and how to cancel it.

const patience = 300; // milliseconds before the bar appears

const latest = new WeakMap(); // the bar of each pane

/**
 * begin marks what a pane shows as old, and says after a while what is being done. Whatever in the pane has
 * data-running counts the seconds, and says at the end that it is cancelled.
 * @param {HTMLElement} pane
 * @param {{what: string, cancel: () => void}} on
 * @returns {{came: () => void, end: () => void}}
 */
export function begin(pane, { what, cancel }) {
  pane.querySelector(":scope > .waiting-bar")?.remove();
  pane.setAttribute("aria-busy", "true");
  const started = performance.now();
  const bar = document.createElement("p");
  bar.className = "waiting-bar";
  const text = document.createElement("span");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Cancel";
  button.addEventListener("click", cancel);
  bar.append(text, button);
  latest.set(pane, bar); // an earlier wait ends silently
  let timer = 0;
  /** @param {string} text */
  const running = (text) => {
    for (const e of pane.querySelectorAll("[data-running]")) e.textContent = text;
  };
  const tick = () => {
    clearTimeout(timer);
    const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    text.textContent = `Running ${what}: ${took}`;
    running(took);
    if (!bar.isConnected) pane.append(bar);
    timer = setTimeout(tick, 100);
  };
  timer = setTimeout(tick, patience);
  return {
    /** came says that part of the answer is there: what it waits for still, it says itself. */
    came() {
      pane.removeAttribute("aria-busy");
      tick();
    },
    end() {
      clearTimeout(timer);
      running("Cancelled");
      bar.remove();
      if (latest.get(pane) === bar) pane.removeAttribute("aria-busy");
    },
  };
}
