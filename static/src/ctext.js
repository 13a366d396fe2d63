// Which tests are in C, and in whose vocabulary.

// Words of the kernel's vocabulary, by which a test is one of its.
const kernel =
  /\b((READ|WRITE)_ONCE|smp_\w+|s?rcu_\w+|synchronize_s?rcu\w*|spin_\w+|(try_)?(cmp)?xchg\w*|atomic_t|spinlock_t|srcu_struct|ATOMIC_INIT|atomic_(read|set|inc|dec|add|sub)\w*)\b/;

/**
 * isC tells whether a text, comments in front or not, is a test in C.
 */
export const isC = (text) => /^(?:\s|\(\*[^]*?\*\)|\/\/.*|\/\*[^]*?\*\/)*C\s/.test(text);

/**
 * isKernel tells a test of the kernel's vocabulary from others in C.
 */
export const isKernel = (text) => kernel.test(plainC(text));

/**
 * plainC is a test with blanks for its comments and strings. In bodies (*x) is none.
 */
export function plainC(text) {
  return text.replace(/\/\/.*|\/\*[^]*?(\*\/|$)|\(\*(?!\w)[^]*?(\*\)|$)|"[^"\n]*"?/g, (s) => s.replace(/[^\n]/g, " "));
}
