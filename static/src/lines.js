// Highlights lines of code together with the source line that they come from.

/**
 * light has the lines in a box do so, while one of them is pointed at or has the focus, and after a tap until the next.
 * The numbers of lines lead to the other side: a click or Enter moves the focus there, and the arrow keys move it from
 * line to line.
 * @param {HTMLElement} box
 */
export function light(box) {
  let kept = ""; // the tapped line, or that of the focus
  /** @param {string} line */
  const show = (line) => {
    for (const li of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("li[data-of]"))) li.classList.toggle("lit", li.dataset.of === line);
  };
  /** @param {{ target: HTMLElement }} e */
  const lineAt = (e) => e.target.closest("li[data-of]")?.dataset.of ?? "";
  box.addEventListener("pointerover", (e) => show(lineAt(e) || kept));
  box.addEventListener("pointerleave", () => show(kept));
  box.addEventListener("focusin", (e) => e.target.matches("a.n") && show((kept = lineAt(e))));
  box.addEventListener("click", (e) => {
    show((kept = lineAt(e)));
    const link = /** @type {HTMLElement | null} */ (e.target.closest("a.n"));
    if (!link) return;
    e.preventDefault(); // the fragment is the page's state
    const to = /** @type {HTMLElement | null} */ (box.querySelector(link.getAttribute("href") + " a.n"));
    to?.focus();
    to?.closest("li")?.scrollIntoView({ block: "nearest" });
  });
  box.addEventListener("keydown", (e) => {
    const step = /** @type {Record<string, number | undefined>} */ ({ ArrowDown: 1, ArrowUp: -1 })[e.key];
    if (!step || !e.target.matches("a.n")) return;
    /** @type {HTMLElement[]} */
    const all = [.../** @type {HTMLElement} */ (e.target.closest("section")).querySelectorAll("a.n")].filter((a) => a.checkVisibility());
    all[all.indexOf(e.target) + step]?.focus();
    e.preventDefault();
  });
}
