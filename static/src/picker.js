// The list of classic tests, one architecture at a time: type to narrow it, arrows to
// walk it, Enter to take one. The list itself is links that the server wrote; it works
// without this.

/**
 * activate wires the list.
 * @param {HTMLElement} list the popover
 * @param {function(string)} pick called with the ID of the chosen test
 */
export function activate(list, pick) {
  const arch = list.querySelector("select");
  const field = list.querySelector("input[type=search]");
  const links = [...list.querySelectorAll("a[data-test]")];
  const empty = list.querySelector(".none");
  const shown = () => links.filter((a) => !a.closest("li").hidden);

  const narrow = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const a of links) {
      const text = a.textContent.toLowerCase();
      const here = a.closest("[data-arch]").dataset.arch === arch.value;
      a.closest("li").hidden = !here || !words.every((w) => text.includes(w));
    }
    for (const family of list.querySelectorAll("[data-family]")) {
      family.hidden = !family.querySelector("li:not([hidden])");
    }
    empty.hidden = shown().length > 0;
  };
  field.addEventListener("input", narrow);
  arch.addEventListener("change", narrow);

  // Taking a test gives the focus back to the button that opened the list, so it
  // waits until Enter is up: else the same stroke would press that button too.
  let entered = null;
  list.addEventListener("keyup", (e) => {
    if (e.key !== "Enter") return;
    entered?.click();
    entered = null;
  });
  list.addEventListener("keydown", (e) => {
    if (e.target === arch) return; // its keys are its own
    const all = shown();
    const at = all.indexOf(document.activeElement);
    let to = null;
    if (e.key === "ArrowDown") to = all[Math.min(at + 1, all.length - 1)];
    else if (e.key === "ArrowUp") to = at > 0 ? all[at - 1] : field;
    else if (e.key === "Enter" && (at >= 0 || document.activeElement === field)) {
      // An exact name wins over whatever else the letters match.
      const exact = all.find((a) => a.querySelector("b").textContent.toLowerCase() === field.value.trim().toLowerCase());
      entered = at >= 0 ? all[at] : (exact ?? all[0]);
      e.preventDefault();
    }
    if (to) {
      to.focus();
      e.preventDefault();
    }
  });
  list.addEventListener("click", (e) => {
    const a = e.target.closest("a[data-test]");
    if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    list.hidePopover();
    for (const b of links) b.toggleAttribute("aria-current", false);
    a.setAttribute("aria-current", "true");
    pick(a.dataset.test);
  });
  // Before it opens: what is typed at once afterwards must not be lost. The field
  // takes the focus by itself (autofocus).
  list.addEventListener("beforetoggle", (e) => {
    if (e.newState !== "open") return;
    field.value = "";
    narrow();
  });
}
