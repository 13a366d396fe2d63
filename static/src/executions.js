// Buttons that step through the executions of an outcome.

/**
 * ways returns the buttons to the previous and next execution.
 * @param {number} n which it is, from 1
 * @param {{count: number, complete: boolean}} found how many there are
 * @param {(n: number) => unknown} go shows another
 */
export function ways(n, found, go) {
  const nav = document.createElement("span");
  nav.className = "executions";
  nav.setAttribute("role", "group");
  nav.setAttribute("aria-label", "Executions with this outcome");
  /**
   * @param {number} to
   * @param {string} text
   * @param {string} label
   */
  const step = (to, text, label) => {
    const b = document.createElement("button");
    b.type = "button";
    b.className = "quiet";
    b.textContent = text;
    b.setAttribute("aria-label", label);
    b.dataset.execution = /** @type {string} */ (/** @type {unknown} */ (to));
    b.setAttribute("aria-disabled", String(to < 1 || to > found.count));
    b.addEventListener("click", () => {
      if (to >= 1 && to <= found.count) go(to);
    });
    return b;
  };
  const where = document.createElement("span");
  where.textContent = `${n}/${found.count}${found.complete ? "" : "+"}`;
  where.title = found.complete ? "Executions differ in what reads read from or in the order of writes." : "There are more executions than listed.";
  nav.append(step(n - 1, "‹", "Previous execution"), where, step(n + 1, "›", "Next execution"));
  return nav;
}
