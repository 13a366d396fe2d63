// What is shown, and what has been typed since: whether the answer is that of the
// question as it stands, and whether to run again by itself where that is quick.

/**
 * edited tells when the question is no longer, or is again, the one that was run.
 * @param {() => string} now the question as it stands
 * @param {(edited: boolean) => void} on is told of each change
 * @returns {{ran: (question?: string) => void, changed: () => void, is: () => boolean}}
 */
export function edited(now, on) {
  let run = null;
  let was = false;
  const tell = () => {
    const is = run !== null && now() !== run;
    if (is !== was) on((was = is));
  };
  return {
    ran(question = now()) {
      run = question;
      tell();
    },
    changed: tell,
    is: () => was,
  };
}

const KEY = "litmuscope.rerun";
const QUICK = 300; // ms that a run may have taken
const REST = 600; // ms without typing

/**
 * asYouType runs again when typing rests, while runs are quick and nothing is wrong.
 * @param {object} page
 *   toggle: a checkbox, which is remembered;
 *   run(): runs, cancelling a run under way
 * @returns {object} changed(): something was typed; checked(errors): how many errors there
 *   are; ran(ms): a run took so long, null if it failed
 */
export function asYouType({ toggle, run }) {
  let quick = false;
  let errors = 0;
  let due = 0; // the timer
  let rested = false; // typing has, but the check had not answered
  let pending = false; // a change that has not been checked yet
  toggle.checked = remembered() !== "no";
  toggle.addEventListener("change", () => {
    remember(toggle.checked ? "yes" : "no");
    if (!toggle.checked) cancel();
  });

  function cancel() {
    clearTimeout(due);
    due = 0;
    rested = false;
  }

  function go() {
    if (!toggle.checked || !quick || errors > 0 || !rested || pending) return;
    rested = false;
    run();
  }

  return {
    changed() {
      cancel();
      pending = true;
      due = setTimeout(() => {
        rested = true;
        go();
      }, REST);
    },
    checked(n) {
      errors = n;
      pending = false;
      go();
    },
    ran(ms) {
      cancel();
      quick = ms !== null && ms < QUICK;
    },
  };
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // then it holds for this page
  }
}
