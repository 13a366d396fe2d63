// The request for a picture: the question as it was asked, and the part of its answer.

/**
 * pictureFields ask for a picture.
 * @param {URLSearchParams} question
 * @param {Picked} pick
 * @param {string} [beside] the column whose picture stands beside it
 */
export function pictureFields(question, pick, beside) {
  const body = new URLSearchParams(question);
  for (const [name, value] of Object.entries(pick)) body.set(name, value ?? "");
  if (beside) body.set("beside", beside);
  return body;
}

/**
 * countFields ask how many executions the outcome of a picture has.
 * @param {URLSearchParams} question
 * @param {Record<string, string>} picture what the picture says of itself
 */
export function countFields(question, { column, state }) {
  const body = new URLSearchParams(question);
  body.set("column", column);
  body.set("state", state);
  return body;
}
