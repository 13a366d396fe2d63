// Saves a drawing in a format that the server writes. Loaded when the visitor first saves one.

import { exportFields } from "./exportfields.js";
import { send } from "./send.js";

/**
 * drawingFile gets the drawing of a picture in a format.
 * @param {string} address where it is to be had
 * @param {Parameters<typeof exportFields>} wanted
 */
export async function drawingFile(address, ...wanted) {
  const r = await send(address, exportFields(...wanted));
  if (!r.headers.get("Content-Disposition")) throw new Error("The server could not save the drawing.");
  return r.blob();
}
