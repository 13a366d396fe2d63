// The list of classic tests: type to search all of them, arrows to walk, Enter to take one.
// It is fetched when somebody is about to open it; without scripts its button is a link to
// the same list as a page.

/**
 * activate makes a dialog of the list.
 * @param {HTMLAnchorElement} link what leads to the list; a button takes its place
 * @param {HTMLElement} list the popover
 * @param {object} on what the page does and knows:
 *   pick(id): a test was chosen; arch(): the architecture at hand;
 *   mine(): the visitor's own tests, each {name, note, take()}
 */
export function activate(link, list, on) {
  const arch = list.querySelector("select");
  const field = list.querySelector("input[type=search]");
  const place = list.querySelector(".list");
  const count = list.querySelector("#picker-count");
  let tests = null;
  let fetching = null;
  let current = link.dataset.test;

  const button = document.createElement("button");
  button.type = "button";
  button.id = link.id;
  button.setAttribute("popovertarget", list.id);
  button.setAttribute("aria-haspopup", "dialog");
  button.append(...link.childNodes);
  link.replaceWith(button);

  const load = () => (fetching ??= fetchTests().then(
    (all) => {
      tests = all;
      if (list.matches(":popover-open")) show();
    },
    () => {
      fetching = null; // opening it again tries again
      count.textContent = "The list cannot be fetched. Close it and try again when the server is back.";
    },
  ));
  for (const event of ["pointerenter", "focus", "click"]) button.addEventListener(event, load);

  const shown = () => [...place.querySelectorAll("a")];

  function show() {
    const query = field.value.trim().toLowerCase();
    const own = (on.mine?.() ?? []).filter((m) => !arch.value && `${m.name} ${m.note}`.toLowerCase().includes(query));
    const groups = search(tests, query, on.arch(), arch.value);
    const found = groups.reduce((n, g) => n + g.tests.length, 0);
    const all = arch.value ? tests.filter((t) => t.arch === arch.value).length : tests.length;
    count.textContent = query === "" ? `${all} classic tests` : found ? `${found} of ${all} classic tests` : "No classic test matches.";
    const marks = query.split(/\s+/).filter(Boolean);
    const parts = groups.map((g) => section(g, marks));
    if (own.length) parts.unshift(drafts(own, marks));
    place.replaceChildren(...parts);
    place.scrollTop = 0;
  }

  // section lists what is found of an architecture, by families where all of them are there.
  function section({ arch, tests }, marks) {
    const box = group(arch, arch);
    let family = null;
    let items = null;
    for (const t of tests) {
      if (!items || (marks.length === 0 && t.family !== family)) {
        items = document.createElement("ul");
        if (marks.length === 0) box.append(heading("h3", t.family));
        box.append(items);
        family = t.family;
      }
      const a = item(t.name, t.note, marks);
      a.href = `/?test=${encodeURIComponent(t.id)}`;
      a.dataset.test = t.id;
      if (t.id === current) a.setAttribute("aria-current", "true");
      items.append(a.parentElement);
    }
    return box;
  }

  function drafts(own, marks) {
    const box = group("Your own", "");
    const items = document.createElement("ul");
    for (const m of own) {
      const a = item(m.name, m.note, marks);
      a.href = "#source";
      a.addEventListener("click", (e) => {
        e.preventDefault();
        list.hidePopover();
        m.take();
      });
      items.append(a.parentElement);
    }
    box.append(items);
    return box;
  }

  field.addEventListener("input", () => tests && show());
  arch.addEventListener("change", () => tests && show());

  // Taking a test gives the focus back to the button that opened the list, so it
  // waits until Enter is up: else the same stroke would press that button too.
  let entered = null;
  list.addEventListener("keyup", async (e) => {
    if (e.key !== "Enter" || !entered) return;
    const take = entered;
    entered = null;
    await load();
    take()?.click();
  });
  list.addEventListener("keydown", (e) => {
    if (e.target === arch) return; // its keys are its own
    const all = shown();
    const at = all.indexOf(document.activeElement);
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
  // Before it opens: what is typed at once afterwards must not be lost. The field
  // takes the focus by itself (autofocus).
  list.addEventListener("beforetoggle", (e) => {
    if (e.newState !== "open") return;
    field.value = "";
    arch.value = "";
    if (tests) show();
    else load();
  });
}

async function fetchTests() {
  const r = await fetch("/classics/list");
  if (!r.ok) throw new Error(`status ${r.status}`);
  const archs = await r.json();
  return archs.flatMap((a) => a.families.flatMap((f) => f.tests.map((t) => entry(a, f, t))));
}

// entry is a test with the words by which it is found, the most telling first.
function entry(arch, family, t) {
  const split = (...texts) => texts.join(" ").toLowerCase().split(/[\s,:;?!()'"/]+|\.(?=\s|$)/).filter(Boolean);
  return {
    ...t,
    arch: arch.name,
    family: family.title,
    lower: t.name.toLowerCase(),
    parts: t.name.toLowerCase().split(/[+.\-]/),
    about: split(arch.name, arch.about, family.title, t.about ?? ""),
    rest: split(t.note, t.code ?? ""),
  };
}

// score is how far a test is from a word of the query: 0 is its name; Infinity, it has no such word.
function score(t, word) {
  if (t.lower === word) return 0;
  if (t.lower.startsWith(word) || t.parts.some((p) => p.startsWith(word))) return 1;
  if (t.about.includes(word)) return 2;
  if (t.about.some((w) => w.startsWith(word))) return 2.5;
  if (t.rest.some((w) => w.startsWith(word))) return 3;
  if (t.lower.includes(word)) return 3.5;
  return Infinity;
}

// AT_HAND is what it counts for that a test is of the architecture at hand: more than a
// better match by one.
const AT_HAND = 1.5;

/**
 * search finds the tests that have all words of a query, grouped by architecture, the best
 * first.
 * @param {object[]} tests
 * @param {string} query in lower case
 * @param {string} here the architecture at hand
 * @param {string} only the one to look in; "" for all
 */
export function search(tests, query, here, only) {
  const words = query.split(/\s+/).filter(Boolean);
  const groups = new Map();
  for (const t of tests) {
    if (only && t.arch !== only) continue;
    const n = words.reduce((sum, w) => sum + score(t, w), t.arch === here ? -AT_HAND : 0);
    if (n === Infinity) continue;
    if (!groups.has(t.arch)) groups.set(t.arch, { arch: t.arch, best: Infinity, found: [] });
    const g = groups.get(t.arch);
    g.best = Math.min(g.best, n);
    g.found.push({ t, n });
  }
  return [...groups.values()]
    .sort((a, b) => a.best - b.best)
    .map((g) => ({ arch: g.arch, tests: g.found.sort((a, b) => a.n - b.n).map((f) => f.t) }));
}

function heading(tag, text) {
  const h = document.createElement(tag);
  h.textContent = text;
  return h;
}

function group(title, arch) {
  const box = document.createElement("section");
  box.dataset.arch = arch;
  box.setAttribute("aria-label", title);
  box.append(heading("h2", title));
  return box;
}

function item(name, note, marks) {
  const li = document.createElement("li");
  const a = document.createElement("a");
  const b = document.createElement("b");
  const span = document.createElement("span");
  b.append(...marked(name, marks));
  span.append(...marked(note, marks));
  a.append(b, " ", span);
  li.append(a);
  return a;
}

// marked is a text with the words of the query marked in it.
function marked(text, marks) {
  const out = [];
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = -1;
    let word = "";
    for (const w of marks) {
      const i = lower.indexOf(w, at);
      if (i >= 0 && (next < 0 || i < next || (i === next && w.length > word.length))) [next, word] = [i, w];
    }
    if (next < 0) break;
    out.push(text.slice(at, next));
    out.push(heading("mark", text.slice(next, next + word.length)));
    at = next + word.length;
  }
  out.push(text.slice(at));
  return out;
}
