// The request for a picture: the question as it was asked, and the part of its answer.

/**
 * pictureFields ask for a picture.
 * @param {URLSearchParams} question
 * @param {Picked} pick
 */
export function pictureFields(question, pick) {
  const body = new URLSearchParams(question);
  for (const [name, value] of Object.entries(pick)) body.set(name, value ?? "");
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
