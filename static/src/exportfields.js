// The request for a drawing in one of the server's formats.

/**
 * exportFields ask for the drawing of a picture in a format that the server writes.
 * @param {URLSearchParams} question
 * @param {Record<string, string>} picture what the picture says of itself
 * @param {string} format
 * @param {Switched} switched
 */
export function exportFields(question, picture, format, { show, hide }) {
  const body = new URLSearchParams(question);
  for (const name of ["column", "state", "flag", "n"]) body.set(name, picture[name] ?? "");
  if (picture.compared) body.set("beside", picture.compared);
  if ("second" in picture) body.set("second", "1");
  body.set("format", format);
  for (const name of show) body.append("show", name);
  for (const name of hide) body.append("hide", name);
  return body;
}
