// Decompresses Brotli where the browser cannot: a static site's program. The site loads it only then.

import { DecompressStream, initSync } from "brotli-dec-wasm/web";
// @ts-expect-error: the bundler makes it the bytes of the module.
import wasm from "brotli-dec-wasm/web/bg.wasm";

const PIECE = 1 << 20; // bytes to decompress at a time

/**
 * unpacked decompresses bytes, piece by piece.
 * @param {Uint8Array} bytes
 * @returns {ReadableStream<Uint8Array>}
 */
export function unpacked(bytes) {
  initSync({ module: wasm });
  const decoder = new DecompressStream();
  let rest = bytes;
  return new ReadableStream({
    pull(out) {
      const r = decoder.decompress(rest, PIECE);
      rest = rest.subarray(r.input_offset);
      if (r.buf.length > 0) out.enqueue(r.buf);
      if (r.code === 1 /* done */) out.close();
      else if (rest.length === 0 && r.buf.length === 0) out.error(new Error("The program is cut off. Reload the page, or write the site again."));
    },
  });
}
