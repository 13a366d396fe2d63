// The introduction for new visitors, and a tour through the panes.

const KEY = "litmuscope.met"; // theme.js uses this key to hide the introduction

/**
 * activate wires the sentence, which the server wrote.
 * @param {HTMLElement} bar
 */
export function activate(bar) {
  if (!bar) return;
  bar.querySelector("[data-library]").addEventListener("click", (e) => {
    e.preventDefault();
    document.getElementById("pick").click();
  });
  const over = () => {
    document.documentElement.dataset.met = "";
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // no storage: it appears again
    }
  };
  bar.querySelector("[data-close]").addEventListener("click", over);
  bar.querySelector("[data-walk]").addEventListener("click", async () => {
    (await import("./walk.js")).walk(over);
  });
}
