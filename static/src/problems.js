// The list of problems under an editor; each entry links to its position.

/**
 * mount makes an empty list behind an element.
 * @param {HTMLElement} after
 * @param {(problem: Problem) => unknown} go what a click on an entry does
 * @param {(problem: Problem) => unknown} mend what a click on what mends it does
 * @returns {{show: (list: Problem[]) => void}} show takes [{line, col, severity, message,
 *   file}], severity "error" or "info", file being said where it is not ""
 */
export function mount(after, go, mend) {
  const box = document.createElement("div");
  box.className = "problems";
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  const list = document.createElement("ol");
  box.append(count, list);
  box.hidden = true;
  after.after(box);
  /** @type {Problem[]} */
  let latest = [];
  let shown = "[]";
  return {
    show(problems) {
      // An entry can stand for several errors.
      const countOf = (/** @type {Problem["severity"]} */ of) => problems.reduce((n, p) => n + (p.severity === of ? p.more || 1 : 0), 0);
      const errors = countOf("error");
      const said = [some(errors, "error"), some(countOf("info"), "remark")].filter(Boolean).join(", ");
      box.hidden = false; // a status element must be visible before its text changes
      if (count.textContent !== said) count.textContent = said;
      box.hidden = problems.length === 0;
      box.classList.toggle("wrong", errors > 0);
      // Keep unchanged entries in the page: the visitor may be pressing one.
      latest = problems;
      const now = JSON.stringify(problems.map((p) => [p.severity, p.file, p.line, p.col, p.message, p.fix?.title]));
      if (now === shown) return;
      shown = now;
      list.replaceChildren(...problems.map((p, i) => entry(p, () => go(latest[i]), () => mend(latest[i]))));
    },
  };
}

/**
 * @param {number} n
 * @param {string} what
 */
function some(n, what) {
  return n === 0 ? "" : `${n} ${what}${n === 1 ? "" : "s"}`;
}

/**
 * @param {Problem} problem
 * @param {() => unknown} go
 * @param {() => unknown} mend
 */
function entry(problem, go, mend) {
  const item = document.createElement("li");
  item.className = problem.severity;
  const button = document.createElement("button");
  button.type = "button";
  const place = document.createElement("span");
  place.className = "place";
  place.textContent = `${problem.file ? `${problem.file}, ` : ""}line ${problem.line}`;
  const sign = problem.severity === "error" ? "! " : "⚠ ";
  button.append(sign, place, ` ${problem.message}`);
  button.addEventListener("click", go);
  item.append(button);
  if (problem.fix) {
    const fix = document.createElement("button");
    fix.type = "button";
    fix.className = "fix";
    fix.textContent = problem.fix.title;
    fix.addEventListener("click", mend);
    item.append(fix);
  }
  return item;
}
