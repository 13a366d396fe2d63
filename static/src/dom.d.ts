// What scripts take for granted of the DOM: what they look for is there, unless they ask ("?."); what kind of
// element a selector finds follows from its last part; events on the page come from elements; and forms have
// fields of these names.

type Tags = HTMLElementTagNameMap & Omit<SVGElementTagNameMap, keyof HTMLElementTagNameMap>;

/** Head is a text up to the first of some marks. */
type Head<S extends string> = S extends `${infer H}${"." | "#" | "[" | ":"}${string}` ? Head<H> : S;
/** Last is a selector's last part: what it finds. */
type Last<S extends string> = S extends `${string}${" " | ">" | "+" | "~"}${infer R}` ? Last<R> : S;
/** Bare is a selector without what stands in brackets, which may hold anything. */
type Bare<S extends string> = S extends `${infer A}(${string})${infer B}`
  ? Bare<`${A}${B}`>
  : S extends `${infer A}[${string}]${infer B}`
    ? Bare<`${A}${B}`>
    : S;
type One<S extends string> = Head<Last<S>> extends infer T ? (T extends keyof Tags ? Tags[T] : HTMLElement) : never;
type List<S extends string> = S extends `${infer A}, ${infer B}` ? One<A> | List<B> : One<S>;
/** Found is the kind of element that a selector finds. */
type Found<S extends string> = string extends S
  ? HTMLElement
  : S extends `#${infer I extends keyof Ids & string}`
    ? Ids[I]
    : S extends `[name${string}` | `${string} [name${string}`
      ? Field
      : List<Bare<S>>;

interface ParentNode {
  querySelector<S extends string>(selector: S): Found<S>;
  querySelectorAll<S extends string>(selector: S): NodeListOf<Found<S>>;
}

interface Element {
  /** Numbers become texts by themselves. */
  setAttribute(name: string, value: string | number): void;
  closest<S extends string>(selector: S): Found<S>;
}

/** Fields are what somebody types into, or chooses. */
type Field = HTMLInputElement & Pick<HTMLSelectElement, "options" | "selectedOptions">;

type From<E, T = HTMLElement> = Omit<E, "target" | "currentTarget"> & { target: T; currentTarget: HTMLElement };

/** Heard is an event of a kind, which comes from an element. */
type Heard<K> = K extends "change" | "input" | "invalid"
  ? From<Event, Field>
  : K extends "submit"
    ? From<Event, HTMLFormElement> & { submitter: HTMLButtonElement | null }
    : K extends "toggle"
      ? From<ToggleEvent, HTMLDetailsElement>
      : K extends keyof HTMLElementEventMap
        ? From<HTMLElementEventMap[K]>
        : From<CustomEvent>;

interface Element {
  addEventListener<K extends string>(type: K, listener: (e: Heard<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
/** Data are an element's, which the server renders; what may be missing is asked for by "in" or "??". */
interface Data extends DOMStringMap {
  [name: string]: string;
}

interface HTMLElement {
  readonly dataset: Data;
  addEventListener<K extends string>(type: K, listener: (e: Heard<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
/** Drawn is the kind of element that a selector finds within a drawing. */
type Drawn<S extends string> = Found<S> extends infer T ? (T extends SVGElement ? T : SVGGElement) : never;

interface SVGElement {
  readonly dataset: Data;
}
interface SVGSVGElement {
  querySelector<S extends string>(selector: S): Drawn<S>;
  querySelectorAll<S extends string>(selector: S): NodeListOf<Drawn<S>>;
  addEventListener<K extends string>(type: K, listener: (e: Omit<Heard<K>, "target"> & { target: SVGGElement }) => unknown): void;
}
interface HTMLFormElement {
  addEventListener<K extends string>(type: K, listener: (e: Heard<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface Document {
  addEventListener<K extends string>(type: K, listener: (e: Heard<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}

interface DocumentFragment {
  getElementById(id: string): HTMLElement;
}

interface Document {
  getElementById<K extends keyof Ids>(id: K): Ids[K];
  getElementById(id: string): HTMLElement;
}

/** Ids are what elements are that a script asks more of than of any. */
interface Ids {
  explore: HTMLFormElement;
  verify: HTMLFormElement;
  program: HTMLSelectElement;
  rerun: HTMLInputElement;
  differ: HTMLInputElement;
  words: HTMLFormElement;
  family: HTMLFormElement;
  "family-suite": HTMLFormElement;
  filters: HTMLFormElement;
  picker: HTMLElement;
  pick: HTMLAnchorElement;
}

/** Fields of forms, by their names. */
interface HTMLFormControlsCollection {
  source: HTMLTextAreaElement;
  text: HTMLTextAreaElement;
  "option-defines": HTMLTextAreaElement;
  arch: Field;
  engine: HTMLSelectElement;
  [name: string]: Field;
}

// JSON is of the type that whoever reads it says, and of none that is known otherwise.

interface Response {
  json<T = unknown>(): Promise<T>;
}
interface JSON {
  parse<T = unknown>(text: string): T;
}
