// Presents a lesson: large, without navigation, controlled by the keys of a clicker.

/**
 * activate has a button show the lesson so, and end it.
 * @param {HTMLElement} lesson
 * @param {HTMLButtonElement} button
 */
export function activate(lesson, button) {
  const blank = document.createElement("div");
  blank.className = "blank";
  blank.hidden = true;
  document.body.append(blank);
  const on = () => lesson.classList.contains("slides");
  /** @param {boolean} yes */
  const show = (yes) => {
    lesson.classList.toggle("slides", yes);
    document.documentElement.classList.toggle("presenting", yes);
    button.setAttribute("aria-pressed", String(yes));
    blank.hidden = true;
  };
  button.addEventListener("click", () => show(!on()));

  // turn scrolls to the next heading or block, without skipping content.
  const turn = (/** @type {1 | -1} */ by) => {
    const tops = [...lesson.querySelectorAll("article > :is(header, h2, section)")].map((e) => e.getBoundingClientRect().top);
    const page = innerHeight * 0.85;
    const next = by > 0 ? Math.min(...tops.filter((t) => t > 24)) : Math.max(...tops.filter((t) => t < -24));
    const way = Number.isFinite(next) ? next - 12 : by * page;
    scrollBy({ top: by > 0 ? Math.min(way, page) : Math.max(way, -page), behavior: "instant" });
  };

  /** @type {Record<string, (() => unknown) | undefined>} */
  const keys = {
    PageDown: () => turn(1),
    ArrowRight: () => turn(1),
    PageUp: () => turn(-1),
    ArrowLeft: () => turn(-1),
    b: () => (blank.hidden = !blank.hidden),
    ".": () => (blank.hidden = !blank.hidden),
    Escape: () => show(false),
  };
  document.addEventListener("keydown", (e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    if (!on() || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (!e.key.startsWith("Page") && target.closest("input, textarea, [contenteditable], [role=tab], table, .graph")) return; // these handle their own keys
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
}
