// Tests in C as text.

/**
 * plainC is a test with blanks for its comments and strings. In bodies (*x) is none.
 * @param {string} text
 */
export function plainC(text) {
  return text.replace(/\/\/.*|\/\*[^]*?(\*\/|$)|\(\*(?!\w)[^]*?(\*\)|$)|"[^"\n]*"?/g, (s) => s.replace(/[^\n]/g, " "));
}
