// The sentence for who comes for the first time, and a walk through the panes.

const KEY = "litmuscope.met"; // theme.js hides the sentence by it

/**
 * activate wires the sentence, which the server wrote.
 * @param {HTMLElement} bar
 */
export function activate(bar) {
  if (!bar) return;
  const over = () => {
    document.documentElement.dataset.met = "";
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // it will say so again
    }
  };
  bar.querySelector("[data-close]").addEventListener("click", over);
  bar.querySelector("[data-walk]").addEventListener("click", async () => {
    (await import("./walk.js")).walk(over);
  });
}
