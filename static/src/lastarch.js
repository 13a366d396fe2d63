// Stores the architecture that the visitor last asked about, so that other pages open on it.

const KEY = "litmuscope.arch";

/** last returns it, or "". */
export function last() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage is off
  }
}

/** @param {string} arch */
export function remember(arch) {
  try {
    localStorage.setItem(KEY, arch);
  } catch {
    // no storage: the pages open on their own architecture
  }
}
