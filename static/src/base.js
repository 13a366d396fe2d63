// Addresses of the site. A static site can be below any path, which site.js stores here.

const base = document.documentElement.dataset.base ?? "/";

/**
 * pathTo returns the address of a page or an endpoint.
 * @param {string} path with a slash at its beginning
 */
export const pathTo = (path) => base + path.slice(1);
