// The tabs of a picture, one per panel.

let panels = 0; // number of panels with an ID, on the whole page

/**
 * @typedef {object} TabHooks
 * @property {(name: string) => unknown} turned is called when somebody turns to a panel
 * @property {() => unknown} changed is called whenever another panel is in front, before it is
 */

/**
 * tabs gives a picture's panels their tabs.
 * @param {HTMLElement} box
 * @param {string} first the panel to begin with, if there is one of that name
 * @param {TabHooks} on
 */
export function tabs(box, first, on) {
  const all = [...box.querySelectorAll(".panel")];
  if (all.length === 0) return;
  const list = document.createElement("div");
  list.className = "tabs";
  list.setAttribute("role", "tablist");
  /** @param {string} name */
  const turn = (name, focus = false) => {
    on.turned(name);
    on.changed();
    choose(box, all, list, name, focus);
  };
  all.forEach((p, i) => {
    const b = tabOf(p);
    b.addEventListener("click", () => turn(p.dataset.panel));
    // If all panels are visible, the current one is the one that the visitor uses.
    for (const type of ["pointerdown", "focusin"]) {
      p.addEventListener(type, () => {
        if (p.dataset.panel === "graph" || box.dataset.tab === p.dataset.panel || list.checkVisibility()) return;
        turn(p.dataset.panel);
      });
    }
    b.addEventListener("keydown", (e) => {
      const to = tabAfter(e.key, i, all.length);
      if (to === undefined || !all[to]) return;
      e.preventDefault();
      e.stopPropagation();
      turn(all[to].dataset.panel, true);
    });
    list.append(b);
  });
  const bar = document.createElement("div");
  bar.className = "tab-bar";
  bar.append(list);
  box.querySelector("h2").after(bar);
  on.changed();
  choose(box, all, list, all.some((p) => p.dataset.panel === first) ? first : all[0].dataset.panel, false);
}

/**
 * choose has a panel in front.
 * @param {HTMLElement} box
 * @param {HTMLElement[]} all
 * @param {HTMLElement} list
 * @param {string} name
 * @param {boolean} focus
 */
function choose(box, all, list, name, focus) {
  for (const p of all) {
    const here = p.dataset.panel === name;
    // If there is room, the drawing stays beside the other panel, or all panels are visible.
    p.classList.toggle("aside", !here && p.dataset.panel === "graph");
    p.classList.toggle("off", !here && p.dataset.panel !== "graph");
    const b = list.querySelector(`[data-tab=${p.dataset.panel}]`);
    b.setAttribute("aria-selected", String(here));
    b.tabIndex = here ? 0 : -1;
    if (here && focus) b.focus();
  }
  box.dataset.tab = name;
  box.dispatchEvent(new CustomEvent("tab", { detail: name }));
}

/**
 * tabOf makes a panel's tab, which has its heading.
 * @param {HTMLElement} p
 */
function tabOf(p) {
  const b = document.createElement("button");
  const id = `panel-${++panels}`;
  const heading = p.querySelector("h3");
  b.type = "button";
  b.textContent = heading.textContent;
  heading.classList.add("heard");
  b.dataset.tab = p.dataset.panel;
  b.id = `${id}-tab`;
  p.id = id;
  b.setAttribute("role", "tab");
  b.setAttribute("aria-controls", id);
  p.setAttribute("role", "tabpanel");
  p.setAttribute("aria-labelledby", b.id);
  return b;
}

/**
 * tabAfter is where a key leads to from the i-th of some tabs, undefined if it leads nowhere.
 * @param {string} key
 * @param {number} i
 * @param {number} count
 */
export const tabAfter = (key, i, count) =>
  /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: count - 1 })[key];
