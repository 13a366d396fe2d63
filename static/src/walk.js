// A tour through the panes of the page, with a card at each.

// The stops of the tour: a selector and a text.
const stops = [
  ["#question", "This is the question: a litmus test. Each column is a thread, and the last line asks for an outcome. Edit the test, or choose a classic one."],
  [".models", "These are the memory models. SC is what programmers expect; the others are those of processors."],
  ["#result", "This is the answer. Rows are outcomes, columns are models: ✓ allowed, ✗ forbidden. ◆ marks the outcome that the test asks for."],
  ["#picture", "This is the reason. Choose any cell to see how the outcome happens, or which rule forbids it."],
];

/**
 * walk shows the card at one place after another.
 * @param {() => unknown} over called when it ends
 */
export function walk(over) {
  const card = document.createElement("div");
  card.id = "walk";
  card.popover = "manual";
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-labelledby", "walk-text");
  card.tabIndex = -1;
  const text = document.createElement("p");
  text.id = "walk-text";
  const doings = document.createElement("p");
  const [back, next, end] = ["Back", "Next", "End"].map((label) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = label;
    return b;
  });
  end.className = "quiet";
  doings.append(back, next, end);
  card.append(text, doings);
  document.body.append(card);

  let n = -1;
  /** @type {HTMLElement | null} */
  let lit = null;
  /** @param {number} to */
  const go = (to) => {
    lit?.classList.remove("visited");
    if (to >= stops.length) return stop();
    n = to;
    const [at, said] = stops[n];
    lit = document.querySelector(at);
    lit.classList.add("visited");
    lit.scrollIntoView({ block: "nearest" });
    text.textContent = `${n + 1} of ${stops.length}. ${said}`;
    back.disabled = n === 0;
    next.textContent = n === stops.length - 1 ? "Done" : "Next";
    end.hidden = n === stops.length - 1;
    if (!card.matches(":popover-open")) card.showPopover();
    put(card, lit.getBoundingClientRect());
    card.focus();
  };
  const stop = () => {
    lit?.classList.remove("visited");
    card.remove();
    over();
    document.getElementById("pick").focus();
  };
  back.addEventListener("click", () => go(n - 1));
  next.addEventListener("click", () => go(n + 1));
  end.addEventListener("click", stop);
  card.addEventListener("keydown", (e) => {
    if (e.key === "Escape") stop();
    else if (e.key === "ArrowRight") go(n + 1);
    else if (e.key === "ArrowLeft" && n > 0) go(n - 1);
    else return;
    e.preventDefault();
  });
  go(0);
}

// put places the card beside its pane if there is room, else at the pane's lower end.
/**
 * @param {HTMLElement} card
 * @param {DOMRect} box
 */
function put(card, box) {
  const { width, height } = card.getBoundingClientRect();
  const gap = 12;
  /**
   * @param {number} x
   * @param {number} most
   */
  const inside = (x, most) => Math.max(8, Math.min(x, most - 8));
  const middle = inside(box.left + (box.width - width) / 2, innerWidth - width);
  const places = [
    [middle, box.bottom + gap],
    [box.right + gap, inside(box.top + 48, innerHeight - height)],
    [box.left - gap - width, inside(box.top + 48, innerHeight - height)],
    [middle, box.top - gap - height],
  ];
  /** @param {number[]} place */
  const fits = ([x, y]) => x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  const [x, y] = places.find(fits) ?? [middle, inside(box.bottom - height - gap, innerHeight - height)];
  card.style.left = `${x}px`;
  card.style.top = `${y}px`;
}
