// Says whether texts may name keys: a touch screen has none to press.

/** keyboard is false where a finger is the main pointer. */
export const keyboard = !matchMedia("(pointer: coarse)").matches;
