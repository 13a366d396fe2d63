// Runs again automatically when typing pauses.

const KEY = "litmuscope.rerun";
const REST = 400; // milliseconds without typing

/**
 * asYouType runs again when typing rests, unless something is wrong.
 * @param {TypingHooks} page
 *   toggle: a checkbox, which is remembered, if there is one here;
 *   text(): what is checked; due(): whether there is anything to run;
 *   run(): runs, cancelling a run under way
 * @returns changed(): something was typed, which is going to be run, or not; checked(errors): how many
 *   errors the text has; ran(): a run has begun
 */
export function asYouType({ toggle, text, due, run }) {
  /** @type {string | null} */
  let checked = null; // the checked text
  let errors = 0;
  let timer = 0;
  let rested = false; // typing has paused, but the check is still running
  const on = () => (toggle ? toggle.checked : remembered() !== "no");
  if (toggle) toggle.checked = remembered() !== "no";
  toggle?.addEventListener("change", () => {
    remember(toggle.checked ? "yes" : "no");
    cancel();
    if (toggle.checked) rest();
  });

  function cancel() {
    clearTimeout(timer);
    rested = false;
  }

  function rest() {
    rested = true;
    go();
  }

  function go() {
    if (!on() || !rested || errors > 0 || checked !== text()) return;
    rested = false;
    if (due()) run();
  }

  return {
    changed() {
      cancel();
      timer = setTimeout(rest, REST);
      return on();
    },
    /** @param {number} n */
    checked(n) {
      errors = n;
      checked = text();
      go();
    },
    ran: cancel,
  };
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // no storage: the choice holds for this page
  }
}
