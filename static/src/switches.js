// Stores which relations the visitor has switched on or off, for the next picture.

export class Switches {
  /** @type {Record<string, boolean>} */
  #on = {}; // by relation

  /** remember adds those of a drawing. */
  remember(/** @type {Partial<Switched>} */ { show = [], hide = [] }) {
    for (const name of show) this.#on[name] = true;
    for (const name of hide) this.#on[name] = false;
  }

  /**
   * restore has those alone that are in a link.
   * @param {Switched} switched
   */
  restore(switched) {
    this.#on = {};
    this.remember(switched);
  }

  /** @returns {Switched} the names in order */
  names() {
    /** @param {boolean} on */
    const those = (on) => Object.keys(this.#on).filter((name) => this.#on[name] === on).sort();
    return { show: those(true), hide: those(false) };
  }
}
