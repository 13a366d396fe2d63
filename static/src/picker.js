// The list of texts to start with, classic tests or programs: typing has the server search, arrow keys move, Enter chooses. It is
// loaded when the visitor is about to open it; without scripts, its button links to a page with the same list.

/**
 * activate makes a dialog of the list.
 * @param {HTMLElement} link what leads to the list; a button takes its place
 * @param {HTMLElement} list the popover; data-list is where the list is to be had, data-page what the addresses of pages
 *   begin with, data-what what there is to pick, in words
 * @param {PickerHooks} on what the page does and knows:
 *   pick(id): a test was chosen; arch(): the architecture at hand;
 *   mine(): the visitor's own tests, each {name, note, take()}
 */
export function activate(link, list, on) {
  const arch = list.querySelector("select");
  const field = list.querySelector("input[type=search]");
  const place = list.querySelector(".list");
  const count = list.querySelector("#picker-count");
  /** @type {ListedArch[] | null} */
  let tests = null;
  /** @type {Promise<void> | null} */
  let fetching = null;
  let current = link.dataset.test;

  const button = document.createElement("button");
  button.type = "button";
  button.id = link.id;
  button.setAttribute("popovertarget", list.id);
  button.setAttribute("aria-haspopup", "dialog");
  button.append(...link.childNodes);
  link.replaceWith(button);

  /** @type {typeof import("./classics.js") | null} */
  let listing = null; // the search module
  const failed = () => (count.textContent = "Cannot load the list. Try again later.");
  const load = () => (fetching ??= Promise.all([import("./classics.js"), fetchJSON(list.dataset.list)]).then(
    ([module, archs]) => {
      listing = module;
      tests = archs;
      arch.append(.../** @type {ListedArch[]} */ (archs).map((a) => new Option(a.title, a.name)));
      if (list.matches(":popover-open")) show();
    },
    () => {
      fetching = null; // opening the list again retries
      failed();
    },
  ));
  for (const event of ["pointerenter", "focus", "click"]) button.addEventListener(event, load);

  const shown = () => /** @type {HTMLAnchorElement[]} */ ([...place.querySelectorAll("a")]);

  let asked = 0;
  /** @type {Promise<unknown>} */
  let finding = Promise.resolve();

  // show lists everything or, for words, what the server finds.
  function show() {
    const query = field.value.trim().toLowerCase();
    const mine = ++asked;
    const only = arch.value;
    finding = Promise.resolve(query ? fetchJSON(`${list.dataset.list}?${new URLSearchParams({ q: query, here: on.arch(), only })}`) : null).then(
      (/** @type {PickerResults | null} */ results) => {
        if (mine !== asked) return;
        const { boxes, said } = /** @type {typeof import("./classics.js")} */ (listing).list(/** @type {ListedArch[]} */ (tests), results, {
          query,
          here: on.arch(),
          only,
          current,
          mine: on.mine(),
          ...list.dataset,
          close: () => list.hidePopover(),
        });
        count.textContent = said;
        place.replaceChildren(...boxes);
        place.scrollTop = 0;
      },
      () => mine === asked && failed(),
    );
  }

  field.addEventListener("input", () => tests && show());
  arch.addEventListener("change", () => tests && show());

  // Choosing a test returns the focus to the button that opened the list, so wait until Enter is released: otherwise
  // the same stroke would press the button.
  /** @type {(() => HTMLElement | undefined) | null} */
  let entered = null;
  list.addEventListener("keyup", async (e) => {
    if (e.key !== "Enter" || !entered) return;
    const take = entered;
    entered = null;
    await load();
    await finding;
    take()?.click();
  });
  list.addEventListener("keydown", (e) => {
    if (e.target === arch) return; // the selection handles its own keys
    const all = shown();
    const at = all.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    /** @type {HTMLElement | null} */
    let to = null;
    if (e.key === "ArrowDown" && !tests) {
      e.preventDefault();
      load().then(() => shown()[0]?.focus());
    } else if (e.key === "ArrowDown") to = all[Math.min(at + 1, all.length - 1)];
    else if (e.key === "ArrowUp") to = at > 0 ? all[at - 1] : field;
    else if (e.key === "Enter" && (at >= 0 || document.activeElement === field)) {
      entered = at >= 0 ? () => all[at] : () => shown()[0];
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
    current = a.dataset.test;
    on.pick(current);
  });
  // Before it opens, so that what is typed immediately is not lost. The field takes the focus by itself (autofocus).
  list.addEventListener("beforetoggle", (e) => {
    if (e.newState !== "open") return;
    field.value = "";
    arch.value = "";
    if (tests) show();
    else load();
  });
}

/**
 * @param {string} at
 * @returns {Promise<any>}
 */
async function fetchJSON(at) {
  const r = await fetch(at);
  if (!r.ok) throw new Error(`status ${r.status}`);
  return r.json();
}
