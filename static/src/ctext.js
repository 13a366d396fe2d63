// Text functions for tests in C.

/**
 * plainC replaces comments and strings by spaces. In bodies, (*x) is not a comment.
 * @param {string} text
 */
export function plainC(text) {
  return text.replace(/\/\/.*|\/\*[^]*?(\*\/|$)|\(\*(?!\w)[^]*?(\*\)|$)|"[^"\n]*"?/g, (s) => s.replace(/[^\n]/g, " "));
}
