// What a visitor sees while the server works: nothing for a moment, then what is going on,
// for how long, and a way to stop it.

const patience = 300; // milliseconds before anything is said

/**
 * begin marks what a pane shows as old, and says after a while what is being done.
 * @param {HTMLElement} pane
 * @param {{what: string, cancel: function()}} on
 * @returns {{end: function()}}
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
  pane.waiting = bar; // an earlier wait ends without a word
  let timer = 0;
  const tick = () => {
    text.textContent = `Running ${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`;
    if (!bar.isConnected) pane.append(bar);
    timer = setTimeout(tick, 100);
  };
  timer = setTimeout(tick, patience);
  return {
    end() {
      clearTimeout(timer);
      bar.remove();
      if (pane.waiting === bar) pane.removeAttribute("aria-busy");
    },
  };
}
