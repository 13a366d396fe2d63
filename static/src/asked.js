// Which question an answer on show is for, and which one is being asked.

/**
 * An Asking is a question under way, with the form as it is asked, the state, and that as text.
 * @typedef {{ fields: URLSearchParams, state: Question, text: string, abort: AbortController }} Asking
 */

/**
 * Asked is one question that is answered, and one that is being asked.
 * @typedef {{ running: Asking | null, answered: Asking | null }} Asked
 */

/**
 * ask asks a question, in place of one under way.
 * @param {Asked} asked
 * @param {URLSearchParams} fields
 * @param {Question} state
 */
export function ask(asked, fields, state) {
  asked.running?.abort.abort();
  return (asked.running = { fields, state, text: JSON.stringify(state), abort: new AbortController() });
}

/**
 * drop cancels the question under way, and its end is nobody's concern.
 * @param {Asked} asked
 */
export function drop(asked) {
  const old = asked.running;
  asked.running = null;
  old?.abort.abort();
}

/**
 * isEdited tells whether a state is another than the one that is answered.
 * @param {Asked} asked
 * @param {Question} state
 */
export const isEdited = ({ answered }, state) => answered !== null && JSON.stringify(state) !== answered.text;

/**
 * isDue tells whether a state is another than the one that is being asked, or else that is answered.
 * @param {Asked} asked
 * @param {Question} state
 */
export const isDue = ({ running, answered }, state) => JSON.stringify(state) !== (running ?? answered)?.text;

/**
 * problemsOf are those that a check of a text has found.
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
 * showsByItself tells whether a view shows what answers the question, which goes without saying.
 * @param {Picked | null} pick
 * @param {Picked | null} answering
 */
export const showsByItself = (pick, answering) =>
  pick?.column === answering?.column && pick?.state === answering?.state && !pick?.flag && !(Number(pick?.n) > 1);

/**
 * othersLike are the drafts of the same kind as a question, tests or programs, with other texts.
 * @template {{ state: Question }} Kept
 * @param {Question} now
 * @param {Kept[]} drafts
 */
export function othersLike(now, drafts) {
  /** @param {Question} s */
  const isProgram = (s) => s.arch === "program";
  return drafts.filter((d) => isProgram(d.state) === isProgram(now) && d.state.source !== now.source);
}
