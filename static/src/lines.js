// Highlights lines of code together with the source line that they come from.

/**
 * light has the lines in a box do so, while one of them is pointed at, and after a tap until the next.
 * @param {HTMLElement} box
 */
export function light(box) {
  let kept = ""; // the tapped line
  /** @param {string} line */
  const show = (line) => {
    for (const li of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("li[data-of]"))) li.classList.toggle("lit", li.dataset.of === line);
  };
  /** @param {{ target: HTMLElement }} e */
  const lineAt = (e) => e.target.closest("li[data-of]")?.dataset.of ?? "";
  box.addEventListener("pointerover", (e) => show(lineAt(e) || kept));
  box.addEventListener("click", (e) => show((kept = lineAt(e))));
}
