// The reader's progress in lessons, stored in this browser only.

const KEY = "litmuscope.lessons";

/** @returns {Record<string, string[]>} */
function read() {
  try {
    /** @type {Record<string, string[]> | null} */
    const all = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof all === "object" && all !== null && !Array.isArray(all) ? all : {};
  } catch {
    return {}; // storage is off or has other content
  }
}

/**
 * @param {Record<string, string[]>} all
 * @param {string} slug
 */
const doneOf = (all, slug) => (Array.isArray(all[slug]) ? all[slug] : []);

/**
 * done remembers that something has been done.
 * @param {string} slug the lesson's
 * @param {string} item its name there
 */
export function done(slug, item) {
  const all = read();
  const list = doneOf(all, slug);
  if (!list.includes(item)) list.push(item);
  all[slug] = list;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // no storage: it lasts as long as the page
  }
}

/**
 * show says it wherever a page names a lesson with what there is to do in it.
 * @param {Document} page
 */
export function show(page) {
  const all = read();
  for (const e of page.querySelectorAll("[data-slug][data-items]")) {
    const list = doneOf(all, e.dataset.slug);
    const items = e.dataset.items.split(" ").filter(Boolean);
    const n = items.length ? items.filter((i) => list.includes(i)).length : Number(list.includes("read"));
    const whole = n === Math.max(items.length, 1);
    const place = e.querySelector(".progress");
    place.textContent = whole ? "done" : n > 0 ? `${n} of ${items.length} done` : "";
    place.classList.toggle("whole", whole);
    for (const i of e.querySelectorAll("[data-item]")) i.classList.toggle("done", list.includes(i.id));
  }
}
