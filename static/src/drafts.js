// Stores drafts: what differs from the page as served stays in the browser, by tab and address, or by a place that
// several pages and tabs share. A reload, Back, Forward or another test restores it.

const KEY = "litmuscope.drafts";
const TAB = "litmuscope.tab";
const MOST = 40; // maximum number of drafts
const ROOM = 2_000_000; // maximum total size, in characters
const PAUSE = 250; // milliseconds without typing before a draft is stored

/**
 * mount stores drafts of a page's state.
 * @template [State=Question]
 * @param {DraftHooks<State>} page
 *   get(): the state as it stands, as JSON can have it;
 *   set(state): puts a state in place;
 *   name(state): what to call it;
 *   bar: an element to offer drafts in;
 *   place: what the state is of, where that is not the tab's address;
 *   first: the state as it was at first, where that is not what stands there;
 *   over: what the button says that brings that back
 * @returns resume(): to be called once the page is ready; changed(): something was typed; leaving(): another state is about to
 *   take the place of this one; moved(): the address, or what belongs to it, is another now;
 *   recent(): the drafts there are of no place, newest first; restore(key); close(): offers nothing
 */
export function mount({ get, set, name, bar, place, first, over = "Start over" }) {
  const tab = tabId();
  let base = JSON.stringify(first ?? get());
  let touched = false;
  let timer = 0;
  let lost = false; // the storage has failed
  let restoring = false;

  const key = () => place ?? `${tab} ${location.pathname}${location.search}`;
  const dirty = () => JSON.stringify(get()) !== base;

  function save() {
    clearTimeout(timer);
    timer = 0;
    if (place && !touched) return; // the stored draft belongs to another tab
    const state = get();
    /** @type {Record<string, Draft<State>>} */
    const all = read();
    if (JSON.stringify(state) === base) {
      if (!(key() in all)) return;
      delete all[key()];
    } else {
      all[key()] = { at: Date.now(), url: location.pathname + location.search, tab, place, name: name(state), state };
    }
    lost = !write(all);
  }

  function changed() {
    if (restoring) return;
    touched = true;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  /** @param {State} state */
  function put(state) {
    touched = restoring = true;
    try {
      set(state);
    } finally {
      restoring = false;
    }
    save();
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {() => void} act
   */
  function offer(text, label, act) {
    const say = document.createElement("span");
    say.textContent = text;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      close();
      act();
    });
    const shut = document.createElement("button");
    shut.type = "button";
    shut.className = "quiet";
    shut.textContent = "✕";
    shut.setAttribute("aria-label", "Dismiss");
    shut.addEventListener("click", close);
    bar.replaceChildren(say, button, shut);
    bar.hidden = false;
  }

  function close() {
    bar.hidden = true;
    bar.replaceChildren();
  }

  // back restores the draft of this address, or offers to.
  function back(atOnce = true) {
    /** @type {Record<string, Draft<State>>} */
    const all = read();
    const mine = all[key()];
    if (mine && !atOnce && JSON.stringify(mine.state) !== base) {
      offer(`There is an edit of ${mine.name}.`, "Restore edit", () => put(mine.state));
      return false;
    }
    if (mine && JSON.stringify(mine.state) !== base) {
      /** @type {State} */
      const served = JSON.parse(base);
      put(mine.state);
      offer(`Restored your edit of ${mine.name}.`, over, () => put(served));
      return true;
    }
    // A closed tab may have left a draft for this address.
    const url = location.pathname + location.search;
    const [other] = recent().filter((d) => d.url === url && d.tab !== tab && JSON.stringify(d.state) !== base);
    if (other) offer(`There is an edit of ${other.name} from ${when(other.at)}.`, "Restore edit", () => put(other.state));
    return false;
  }

  function recent() {
    return Object.entries(/** @type {Record<string, Draft<State>>} */ (read()))
      .map(([k, d]) => ({ key: k, ...d }))
      .filter((d) => !d.place)
      .sort((a, b) => b.at - a.at);
  }

  addEventListener("pagehide", save);
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && save());
  addEventListener("beforeunload", (e) => {
    save();
    if (lost && dirty()) e.preventDefault();
  });

  return {
    // resume restores the draft, or offers to if another state has replaced it. It reports whether it has restored it.
    resume: back,
    changed,
    recent,
    close,
    leaving() {
      if (!dirty()) return close();
      save();
      const state = get();
      offer(`There is an edit of ${name(state)}.`, "Restore edit", () => put(state));
    },
    moved() {
      clearTimeout(timer);
      base = JSON.stringify(get());
    },
    /** @param {string} which */
    restore(which) {
      const d = /** @type {Record<string, Draft<State>>} */ (read())[which];
      if (d) put(d.state);
    },
  };
}

// tabId returns an ID that lasts as long as the tab.
function tabId() {
  try {
    let id = sessionStorage.getItem(TAB);
    if (!id) sessionStorage.setItem(TAB, (id = crypto.getRandomValues(new Uint32Array(2)).join("-")));
    return id;
  } catch {
    return "tab";
  }
}

/**
 * @template State
 * @returns {Record<string, Draft<State>>}
 */
function read() {
  try {
    /** @type {Record<string, Draft<State>> | null} */
    const all = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return all && typeof all === "object" ? all : {};
  } catch {
    return {};
  }
}

// write stores the newest drafts that fit.
/** @param {Record<string, { at: number }>} all */
function write(all) {
  /** @type {Record<string, { at: number }>} */
  const kept = {};
  let room = ROOM;
  const newest = Object.entries(all).sort((a, b) => b[1].at - a[1].at);
  for (const [k, d] of newest.slice(0, MOST)) {
    room -= JSON.stringify(d).length;
    if (room > 0) kept[k] = d;
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
    return newest.length === 0 || newest[0][0] in kept;
  } catch {
    return false; // the storage is full or off
  }
}

/**
 * when says in words when something was, in ms since 1970.
 * @param {number} at
 */
export function when(at) {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString([], today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}
