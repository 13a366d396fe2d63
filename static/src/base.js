// Addresses of the site. A static one may be below any path, which site.js has put here.

const base = document.documentElement.dataset.base ?? "/";

/**
 * pathTo is the address of a page, or of what a script asks.
 * @param {string} path with a slash at its beginning
 */
export const pathTo = (path) => base + path.slice(1);
