// Tracks the question whose answer is shown, and the question that is running.

/**
 * An Asking is a question under way, with the form as it is asked, the state, and that as text.
 * @typedef {{ fields: URLSearchParams, state: Question, text: string, abort: AbortController }} Asking
 */

/**
 * Asked has the question that is answered and the question that is running.
 * @typedef {{ running: Asking | null, answered: Asking | null }} Asked
 */

/**
 * ask starts a question and cancels the running one.
 * @param {Asked} asked
 * @param {URLSearchParams} fields
 * @param {Question} state
 */
export function ask(asked, fields, state) {
  asked.running?.abort.abort();
  return (asked.running = { fields, state, text: JSON.stringify(state), abort: new AbortController() });
}

/**
 * drop cancels the running question and ignores its end.
 * @param {Asked} asked
 */
export function drop(asked) {
  const old = asked.running;
  asked.running = null;
  old?.abort.abort();
}

/**
 * isEdited reports whether a state differs from the answered one.
 * @param {Asked} asked
 * @param {Question} state
 */
export const isEdited = ({ answered }, state) => answered !== null && JSON.stringify(state) !== answered.text;

/** @param {Question} state */
const textsOf = ({ source, file, files, own, meaning }) => JSON.stringify([source, file, files, own, meaning]);

/**
 * isRetyped reports whether a state has other texts than the answered one: of the test, the program's files or the
 * visitor's models; or other settings that change what a program means.
 * @param {Asked} asked
 * @param {Question} state
 */
export const isRetyped = ({ answered }, state) => answered !== null && textsOf(state) !== textsOf(answered.state);

/**
 * isDue reports whether a state differs from the running one or, if none runs, from the answered one.
 * @param {Asked} asked
 * @param {Question} state
 */
export const isDue = ({ running, answered }, state) => JSON.stringify(state) !== (running ?? answered)?.text;

/**
 * problemsOf returns the problems that a check has found.
 * @param {Checked} answer
 * @returns {Problem[]}
 */
export function problemsOf({ errors, remarks }) {
  /**
   * @param {Mark[]} marks
   * @param {Problem["severity"]} severity
   */
  const of = (marks, severity) => marks.map((e) => ({ ...e, severity }));
  return [...of(errors, "error"), ...of(remarks, "info")];
}

/**
 * showsByItself reports whether a view shows the default picture, which links need not store.
 * @param {Picked | null} pick
 * @param {Picked | null} answering
 */
export const showsByItself = (pick, answering) =>
  pick?.column === answering?.column && pick?.state === answering?.state && !pick?.flag && !(Number(pick?.n) > 1);

/**
 * othersLike returns the drafts of the same kind as a question (tests or programs) that have other texts.
 * @template {{ state: Question }} Kept
 * @param {Question} now
 * @param {Kept[]} drafts
 */
export function othersLike(now, drafts) {
  /** @param {Question} s */
  const isProgram = (s) => s.arch === "program";
  return drafts.filter((d) => isProgram(d.state) === isProgram(now) && d.state.source !== now.source);
}
