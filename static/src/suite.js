// The page of a suite: live progress and the matrix of its tests.

import { follow } from "./live.js";
import { mount } from "./matrix.js";

const main = document.getElementById("suite");
const nonce = document.querySelector("meta[name=style-nonce]").content;
const suite = {
  id: main.dataset.id,
  tests: Number(main.dataset.tests),
  models: Number(main.dataset.models),
  seq: Number(main.dataset.seq),
  version: main.dataset.version,
  running: main.dataset.state === "running",
};

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

// roughly describes a duration to come; the server has the same function.
/** @param {number} seconds */
function roughly(seconds) {
  if (seconds < 10) return "a few seconds";
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}

// progress shows the state of a suite from the REST API.
/** @param {SuiteProgress} now */
function progress(now) {
  // A new version of the engines restarts the suite.
  if (now.version !== suite.version) return location.reload();
  const bar = document.querySelector("#live progress");
  bar.max = now.rows;
  bar.value = now.done;
  let text = `${counted(now.done)} of ${counted(now.rows)} rows`;
  if (now.rate && now.left_seconds !== undefined) {
    text += ` · ${counted(Math.ceil(now.rate))} rows a second, ${roughly(now.left_seconds)} left`;
  }
  document.getElementById("pace").textContent = text;
  for (const [id, n] of /** @type {[string, number][]} */ ([["cached", now.cached], ["set-aside", now.set_aside]])) {
    const place = document.getElementById(id);
    place.hidden = n === 0;
    place.querySelector("b").textContent = counted(n);
  }
  now.totals.forEach((t, model) => {
    const row = document.querySelector(`#totals tr[data-model="${model}"]`);
    const all = { a: t.allowed, f: t.forbidden, u: t.undecided, e: t.failed, holds: t.holds };
    for (const [code, n] of Object.entries(all)) {
      const place = row.querySelector(`[data-code="${code}"]`);
      place.textContent = counted(n);
      if (place.tagName === "A") place.classList.toggle("none", n === 0);
    }
  });
  const state = document.getElementById("state");
  state.textContent = now.state;
  state.className = `tag ${now.state}`;
  if (now.state === "running") return;
  suite.running = false;
  document.getElementById("live").hidden = true;
  document.getElementById("cancel")?.remove();
  document.getElementById("status").textContent = `The suite is ${now.state}.`;
}

// fresh fetches causes of errors and slow tests again, at most every few seconds, and less often if the server is slow.
let due = 0;
let fetching = false;
let again = false;
/** @param {boolean} last */
async function fresh(last) {
  if (fetching || (!last && performance.now() < due)) {
    again ||= last;
    return;
  }
  fetching = true;
  const start = performance.now();
  try {
    const r = await fetch(`/suites/${suite.id}/insights`, { headers: { "X-Page-Nonce": nonce } });
    if (r.ok) {
      const box = document.getElementById("insights");
      /** @param {string} kind */
      const open = (kind) => box.querySelector(`details.${kind}`)?.open;
      const was = { causes: open("causes"), slowest: open("slowest") };
      box.innerHTML = await r.text();
      for (const [kind, state] of Object.entries(was)) {
        const now = box.querySelector(`details.${kind}`);
        if (now && state !== undefined) now.open = state;
      }
    }
  } catch {
    // try again later
  }
  due = performance.now() + Math.max(3000, 10 * (performance.now() - start));
  fetching = false;
  if (again) {
    again = false;
    fresh(true);
  }
}

const matrix = mount(document.getElementById("matrix"), suite, nonce);
if (suite.running) {
  follow(`/api/v1/suites/${suite.id}/events?rows=true`, suite.seq, {
    progress(now) {
      progress(now);
      fresh(false);
    },
    rows: (rows) => matrix.take(rows),
    end() {
      matrix.stale(true);
      fresh(true);
    },
  });
}
document.documentElement.classList.add("live");
