// The drawing of an execution: its visible relations, size and position, highlighting, differences from the previous
// drawing, and files of it.

const most = 4; // maximum zoom, relative to the natural size
const margin = 12; // around newly visible edges, in pixels
const step = 1.25;

/**
 * activate makes a new drawing interactive.
 * @param {HTMLElement} box what holds the drawing, and nothing that another one is in
 * @param {DrawingHooks} hooks all of them may be missing:
 *   lit(keys: Set<string>, ids: number[]): the visitor looks at events, of these instructions
 *   ("thread:instruction") and with these IDs; empty when no longer;
 *   file(format, {show, hide}): Promise<Blob> of the drawing in a format that only the server
 *   writes; say(text): to those who listen
 * @returns null where nothing is drawn
 */
export function activate(box, hooks = {}) {
  const graph = box.querySelector(".graph");
  // The whole drawing; if it is too large to read, also one with runs of events folded; and one with the pieces of
  // accesses.
  const svgs = [...(graph?.querySelectorAll(".drawing > svg") ?? [])];
  const [svg] = svgs;
  if (!svg) return null;
  const seen = viewport(graph, svgs);
  const light = lighting(svgs, hooks.lit ?? (() => {}), seen.unfold);
  const relations = toggles(graph, svgs, seen.frame);
  files(graph, seen.whole, relations.shown, hooks);

  return {
    /**
     * light highlights events by ID, and the edges between them; none: nothing. It returns the
     * keys of their instructions.
     * @param {Iterable<string | number>} ids
     */
    light: (ids) => light.among(new Set([...ids].map(String))).flatMap(keysOf),
    /** lightInstructions highlights the events of instructions, ["thread:instruction"]. */
    lightInstructions: light.instructions,
    /** shown returns the relations that were switched on and off: {show: [name], hide: [name]}. */
    shown: relations.shown,
    /** setShown restores such a choice. */
    setShown: relations.set,
    /** edges returns the edges of the drawing, to compare another one with it. */
    edges: () => new Set([...svg.querySelectorAll("g.edge:not(.label):not(.off)")].map(edgeKey)),
    /**
     * diff marks the edges that a previous drawing did not have.
     * @param {Set<string>} before
     */
    diff(before) {
      const all = new Set([...svg.querySelectorAll("g.edge")].map(edgeKey));
      for (const g of graph.querySelectorAll("g.edge")) g.classList.toggle("new", all.has(edgeKey(g)) && !before.has(edgeKey(g)));
      seen.lookAt([...graph.querySelectorAll("g.edge.new:not(.label):not(.off)")].find(isSeen));
    },
    /** fit shows the whole drawing. */
    fit: seen.fit,
  };
}

const initial = "initial writes"; // graph.Initial

/** @param {Element} e */
const isSeen = (e) => e.getClientRects().length > 0;

/** @param {SVGElement} g */
const edgeKey = (g) => `${g.dataset.rel} ${g.dataset.from} ${g.dataset.to}`;

// viewport shows a part of the drawing at some size. It is an ordinary scrolling element, so that wheels, fingers and
// arrow keys work as usual.
/**
 * @param {HTMLElement} graph
 * @param {SVGSVGElement[]} svgs
 */
function viewport(graph, svgs) {
  const pane = graph.querySelector(".drawing");
  const naturals = svgs.map(boxOf);
  const all = /** @type {HTMLInputElement | null} */ (graph.querySelector("[data-folds]")); // whether all events are shown
  const apart = /** @type {HTMLInputElement | null} */ (graph.querySelector("[data-pieces]")); // whether the pieces of accesses are
  /** @param {string} name */
  const one = (name) => svgs.find((e) => e.classList.contains(name)) ?? svgs[0];
  let [svg] = svgs;
  let [natural] = naturals;
  let { width, height } = natural;
  let overview = () => {};
  const least = () => Number(graph.dataset.least) || 1; // a projector changes it
  const size = graph.querySelector("[data-zoom=full] output");
  let scale = 0;
  let own = false; // the visitor has chosen a size

  // If the pane is as high as its content, it can grow to its maximum height.
  const room = () => ({ w: pane.clientWidth - 2, h: (parseFloat(getComputedStyle(pane).maxHeight) || pane.clientHeight) - 2 });
  const fits = () => {
    const { w, h } = room();
    return Math.min(w / width, h / height);
  };

  // resize changes the zoom and keeps the point of the drawing at (x, y) of the pane in place.
  /** @param {number} to */
  function resize(to, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
    const next = Math.min(Math.max(to, Math.min(fits(), 0.2)), most);
    const box = svg.getBoundingClientRect();
    const at = pane.getBoundingClientRect();
    const fx = box.width ? (x - (box.left - at.left)) / box.width : 0.5;
    const fy = box.height ? (y - (box.top - at.top)) / box.height : 0;
    scale = next;
    svg.style.width = `${width * scale}px`;
    svg.style.height = `${height * scale}px`;
    const now = svg.getBoundingClientRect();
    pane.scrollLeft += now.left - at.left + fx * now.width - x;
    pane.scrollTop += now.top - at.top + fy * now.height - y;
    size.textContent = `${Math.round(scale * 100)} %`;
    const movable = width * scale > pane.clientWidth + 1 || height * scale > pane.clientHeight + 1;
    if (movable && !pane.classList.contains("movable")) import("./overview.js").then((m) => (overview = m.overview(graph, pane))());
    pane.classList.toggle("movable", movable);
    overview();
  }

  // whole returns the complete drawing, of accesses or of their pieces.
  const whole = () => (apart?.checked ? one("pieces") : svgs[0]);

  // turn shows all events, or the readable form until the visitor chooses.
  function turn() {
    /** @param {SVGSVGElement} next */
    const to = (next) => {
      [svg, natural] = [next, naturals[svgs.indexOf(next)]];
      ({ width, height } = boxOf(svg));
      pane.classList.toggle("fold", svg.classList.contains("folded"));
      pane.classList.toggle("split", svg.classList.contains("pieces"));
    };
    if ((!all && !apart) || !pane.clientWidth) return;
    to(whole());
    if (!all || apart?.checked) return;
    if (!all.dataset.touched) all.checked = fits() >= least();
    if (!all.checked) to(one("folded"));
  }

  // begin shows the whole drawing if its texts are readable, else the important part.
  function begin() {
    if (!pane.clientWidth) return;
    turn();
    resize(Math.min(Math.max(fits(), least()), 1.3));
    pane.scrollLeft = (pane.scrollWidth - pane.clientWidth) / 2;
    pane.scrollTop = 0;
    for (const e of [...svg.querySelectorAll(".event.cycle")].reverse()) lookAt(e); // as many as fit
  }

  // frame extends the view to newly visible edges.
  function frame() {
    turn();
    let { x, y } = natural;
    let [right, bottom] = [x + natural.width, y + natural.height];
    for (const e of svg.querySelectorAll(".event, .edge")) {
      if (!isSeen(e)) continue;
      const b = e.getBBox();
      if (b.x < x) x = b.x - margin;
      if (b.y < y) y = b.y - margin;
      right = b.x + b.width > right ? b.x + b.width + margin : right;
      bottom = b.y + b.height > bottom ? b.y + b.height + margin : bottom;
    }
    [width, height] = [right - x, bottom - y];
    for (const [name, value] of Object.entries({ viewBox: `${x} ${y} ${width} ${height}`, width, height })) svg.setAttribute(name, value);
    for (const [name, value] of Object.entries({ x, y, width, height })) svg.querySelector("rect.paper:not(pattern *)").setAttribute(name, value);
    if (own && scale) resize(scale);
    else begin();
  }

  // lookAt scrolls a part of the drawing into view, without scrolling the page.
  /** @param {Element | null | undefined} part */
  function lookAt(part) {
    if (!part || !pane.clientWidth) return;
    const at = pane.getBoundingClientRect();
    const it = part.getBoundingClientRect();
    /**
     * @param {number} lo
     * @param {number} hi
     * @param {number} from
     * @param {number} until
     */
    const to = (lo, hi, from, until) => (lo >= from && hi <= until ? 0 : (lo + hi) / 2 - (from + until) / 2);
    pane.scrollLeft += to(it.left, it.right, at.left, at.right);
    pane.scrollTop += to(it.top, it.bottom, at.top, at.bottom);
  }

  /**
   * @param {number} to
   * @param {number} [x]
   * @param {number} [y]
   */
  const chosen = (to, x, y) => {
    own = true;
    resize(to, x, y);
  };
  const fit = () => {
    turn();
    chosen(Math.min(fits(), most));
    pane.scrollTo(0, 0);
  };
  /** @type {Record<string, () => void>} */
  const zoom = { in: () => chosen(scale * step), out: () => chosen(scale / step), full: () => chosen(1), fit };
  for (const b of graph.querySelectorAll("[data-zoom]")) b.addEventListener("click", () => zoom[b.dataset.zoom]());

  pane.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const does = /** @type {Record<string, (() => void) | undefined>} */ ({ "+": zoom.in, "=": zoom.in, "-": zoom.out, "_": zoom.out, 0: fit, 1: zoom.full })[e.key];
    if (!does) return;
    e.preventDefault();
    does();
  });
  pane.addEventListener(
    "wheel",
    (e) => {
      if (!e.ctrlKey && !e.metaKey) return; // touchpads send this for pinching, too
      e.preventDefault();
      const at = pane.getBoundingClientRect();
      chosen(scale * Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.004)), e.clientX - at.left, e.clientY - at.top);
    },
    { passive: false },
  );
  drag(pane);
  pinch(pane, () => scale, chosen);

  // A pane that becomes visible or changes its size shows the drawing anew until the visitor has chosen a size.
  let was = "";
  new ResizeObserver(() => {
    const now = `${pane.offsetWidth} ${pane.offsetHeight}`; // with scroll bars, which can disappear
    if (now === was) return;
    was = now;
    requestAnimationFrame(() => (own && scale ? resize(scale) : begin()));
  }).observe(pane);
  graph.classList.add("live");
  begin();
  // unfold shows all events, and scrolls to those that were folded into one.
  /** @param {string} id */
  const unfold = (id) => {
    all?.click();
    const e = svg.querySelector(`[data-event="${id}"]`);
    lookAt(e);
    e?.focus({ preventScroll: true });
  };
  return { fit, lookAt, frame, unfold, whole };
}

/** @param {SVGSVGElement} svg */
const boxOf = (svg) => {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { x, y, width, height };
};

// drag moves the drawing with the mouse; touch scrolls by itself.
/** @param {HTMLElement} pane */
function drag(pane) {
  pane.addEventListener("pointerdown", (e) => {
    if (e.pointerType !== "mouse" || e.button !== 0 || !pane.classList.contains("movable")) return;
    // The scroll bars handle their own events.
    if (e.offsetX > pane.clientWidth && e.target === pane) return;
    const from = { x: e.clientX + pane.scrollLeft, y: e.clientY + pane.scrollTop };
    /** @param {PointerEvent} e */
    const move = (e) => {
      pane.scrollLeft = from.x - e.clientX;
      pane.scrollTop = from.y - e.clientY;
    };
    const end = () => {
      pane.classList.remove("moving");
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    pane.classList.add("moving");
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    e.preventDefault(); // do not select text
    pane.focus({ preventScroll: true });
  });
}

// pinch zooms with two fingers.
/**
 * @param {HTMLElement} pane
 * @param {() => number} scale
 * @param {(to: number, x: number, y: number) => void} resize
 */
function pinch(pane, scale, resize) {
  /** @type {{ span: number, scale: number } | null} */
  let from = null;
  const span = (/** @type {Iterable<Touch>} */ [a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  /** @param {Pick<TouchEvent, "touches">} e */
  const two = (e) => e.touches.length === 2;
  pane.addEventListener("touchstart", (e) => {
    from = two(e) ? { span: span(e.touches), scale: scale() } : null;
  });
  pane.addEventListener(
    "touchmove",
    (e) => {
      if (!from || !two(e)) return;
      e.preventDefault();
      const at = pane.getBoundingClientRect();
      const [a, b] = e.touches;
      resize((from.scale * span(e.touches)) / from.span, (a.clientX + b.clientX) / 2 - at.left, (a.clientY + b.clientY) / 2 - at.top);
    },
    { passive: false },
  );
}

// A folded event has the numbers of all its events.
/** @param {HTMLElement | SVGElement} event */
const idsOf = (event) => event.dataset.event.split(" ");
/** @param {HTMLElement | SVGElement} event */
const keysOf = (event) => event.dataset.source.split(" ").map((source) => `${event.dataset.thread}:${source}`);

/** @param {string[]} ids */
const touches = (ids) => (/** @type {SVGElement} */ g) => ids.includes(g.dataset.from) || ids.includes(g.dataset.to);

// lighting marks events and edges; the drawing's style sheet fades the others.
/**
 * @param {SVGSVGElement[]} svgs
 * @param {(keys: Set<string>, ids: number[]) => void} lit
 * @param {(id: string) => void} unfold
 */
function lighting(svgs, lit, unfold) {
  /** @param {string} selector */
  const within = (selector) => svgs.flatMap((svg) => [...svg.querySelectorAll(selector)]);
  const events = within("[data-event]");
  const edges = within(".edge");
  /**
   * @param {(e: SVGElement) => boolean} event
   * @param {(g: SVGElement) => boolean} edge
   */
  const heat = (event, edge) => {
    const hot = events.filter(event);
    for (const e of events) e.classList.toggle("hot", hot.includes(e));
    for (const g of edges) g.classList.toggle("hot", edge(g));
    for (const svg of svgs) svg.classList.toggle("focus", svg.querySelector(".hot") !== null);
    return hot;
  };
  // An access with several pieces is known by the first one; texts can mention any of them.
  const first = new Map(svgs.map((svg) => [svg, new Map([...svg.querySelectorAll("[data-event]:not(.more)")].flatMap((e) => idsOf(e).map((id) => [id, idsOf(e)[0]])))]));
  const nothing = () => false;
  /** @param {SVGElement[]} hot */
  const tell = (hot) => lit(new Set(hot.flatMap(keysOf)), [...new Set(hot.flatMap(idsOf))].map(Number));
  /**
   * @param {string[]} ids
   * @param {(g: SVGElement) => boolean} edge
   */
  const among = (ids, edge) => heat((e) => idsOf(e).some((id) => ids.includes(id)), edge);

  // An event highlights its edges, an edge its two ends.
  /** @param {Element} target */
  const look = (target) => {
    const event = /** @type {SVGGElement | null} */ (/** @type {unknown} */ (target.closest?.("[data-event]")));
    const edge = target.closest?.("[data-from]");
    if (event) return tell(heat((e) => e === event, touches(idsOf(event))));
    if (!edge) return tell(heat(nothing, nothing));
    const { from, to } = edge.dataset;
    tell(among([from, to], (g) => g.dataset.from === from && g.dataset.to === to));
  };
  for (const svg of svgs) {
    for (const type of ["mouseover", "focusin"]) svg.addEventListener(type, (e) => look(e.target));
    for (const type of ["mouseleave", "focusout"]) svg.addEventListener(type, () => tell(heat(nothing, nothing)));
    svg.addEventListener("click", (e) => {
      const run = e.target.closest(".more");
      if (run) unfold(idsOf(run)[0]);
    });
  }
  roving(svgs[0], events, unfold);
  return {
    /** @param {Iterable<string>} ids */
    among: (ids) => {
      const meant = new Map(svgs.map((svg) => [svg, new Set([...ids].map((id) => first.get(svg)?.get(id) ?? id))]));
      return among([...ids], (g) => {
        const of = /** @type {Set<string>} */ (meant.get(/** @type {SVGSVGElement} */ (g.ownerSVGElement)));
        return of.has(g.dataset.from) && of.has(g.dataset.to);
      });
    },
    /** @param {(string | null)[]} keys */
    instructions: (keys) => {
      const own = events.filter((e) => keys.includes(keysOf(e).join())).map((e) => e.dataset.event);
      among(own, touches(own));
    },
  };
}

// roving makes the events one tab stop: Enter moves from the drawing to the first event, arrow keys to the next in
// their direction, Escape back.
/**
 * @param {SVGSVGElement} svg
 * @param {SVGGElement[]} events
 * @param {(id: string) => void} unfold
 */
function roving(svg, events, unfold) {
  const pane = svg.closest(".drawing");
  for (const e of events) e.tabIndex = -1;
  /** @param {Element} e */
  const middle = (e) => {
    const r = e.getBoundingClientRect();
    return [r.left + r.width / 2, r.top + r.height / 2];
  };
  const next = (/** @type {Element} */ from, /** @type {number[]} */ [dx, dy]) => {
    const [x, y] = middle(from);
    /** @type {SVGGElement | null} */
    let best = null;
    let least = Infinity;
    for (const e of events.filter(isSeen)) {
      const [ex, ey] = middle(e);
      const ahead = (ex - x) * dx + (ey - y) * dy;
      const aside = Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx);
      const far = ahead + 3 * aside;
      if (ahead > 4 && far < least) [best, least] = [e, far];
    }
    return best;
  };
  /** @type {Record<string, number[] | undefined>} */
  const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  pane.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const at = e.target.closest("[data-event]");
    const to = at ? ways[e.key] && next(at, /** @type {number[]} */ (ways[e.key])) : e.key === "Enter" && e.target === pane && events.filter(isSeen).find((v, i, all) => v.dataset.thread !== "-1" || i === all.length - 1);
    if (at?.matches(".more") && e.key === "Enter") unfold(idsOf(at)[0]);
    else if (at && e.key === "Escape") pane.focus();
    else if (to) to.focus();
    else if (!at || !ways[e.key]) return;
    e.preventDefault();
    e.stopPropagation();
  });
}

// toggles shows and hides relations by classes on the drawing. Edges stay in place, since all are routed. An untouched
// toggle keeps the default view, which can show a part of a relation.
/**
 * @param {HTMLElement} graph
 * @param {SVGSVGElement[]} svgs
 * @param {() => void} changed
 */
function toggles(graph, svgs, changed) {
  const inputs = [...graph.querySelectorAll("input[data-relation]")];
  /** @param {HTMLInputElement} input */
  const apply = (input) => {
    const { relation, touched } = input.dataset;
    for (const svg of svgs) {
      svg.classList.toggle(`show-${relation}`, Boolean(touched) && input.checked);
      svg.classList.toggle(`hide-${relation}`, Boolean(touched) && !input.checked);
    }
    // Relations that only involve initial writes appear together with them.
    if (input.dataset.name === initial) for (const l of graph.querySelectorAll("[data-beyond]")) l.hidden = !input.checked;
  };
  for (const input of inputs) {
    input.addEventListener("change", () => {
      input.dataset.touched = "1";
      apply(input);
      changed();
    });
  }
  return {
    shown() {
      const touched = inputs.filter((i) => i.dataset.touched);
      /** @param {boolean} on */
      const names = (on) => touched.filter((i) => i.checked === on).map((i) => i.dataset.name);
      return { show: names(true), hide: names(false) };
    },
    set(/** @type {Partial<Switched>} */ { show = [], hide = [] } = {}) {
      for (const input of inputs) {
        const { name } = input.dataset;
        if (!show.includes(name) && !hide.includes(name)) continue;
        input.checked = show.includes(name);
        input.dataset.touched = "1";
        apply(input);
      }
      if (show.length || hide.length) changed();
    },
  };
}

/**
 * @param {DrawingHooks} hooks
 * @param {HTMLElement} graph
 * @param {() => SVGSVGElement} drawn
 * @param {() => Switched} shown
 */
function files(graph, drawn, shown, hooks) {
  const { file, say = () => {} } = hooks;
  const menu = /** @type {HTMLDetailsElement} */ (graph.querySelector(".export"));
  /** @param {boolean} focus */
  const close = (focus) => {
    menu.open = false;
    if (focus) menu.querySelector("summary").focus();
  };
  menu.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !menu.open) return;
    e.stopPropagation();
    close(true);
  });
  menu.addEventListener("focusout", (e) => {
    if (e.relatedTarget && !menu.contains(/** @type {Node} */ (e.relatedTarget))) close(false);
  });
  for (const button of menu.querySelectorAll("[data-download]")) {
    const { download, ext } = button.dataset;
    button.hidden = !file && !["svg", "png"].includes(download);
    button.addEventListener("click", async () => {
      try {
        const { save, made } = await import("./savedrawing.js");
        save(await (made[download]?.(drawn()) ?? file?.(download, shown())), `${graph.dataset.filename || "execution"}.${ext}`);
        close(true);
      } catch (e) {
        say(e.message);
      }
    });
  }
}
