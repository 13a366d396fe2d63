// What the server answers scripts in JSON, and what modules hand to one another; the modules say what
// each is for.

type Extension = import("@codemirror/state").Extension;
type Doc = import("@codemirror/state").Text;
type CodeView = import("@codemirror/view").EditorView;
type Completing = import("@codemirror/autocomplete").CompletionContext;
type Completion = import("@codemirror/autocomplete").Completion;
type CompletionSource = import("@codemirror/autocomplete").CompletionSource;

/** A Stream is a line that a scanner reads: only a regular expression is matched with groups. */
interface Stream extends Omit<import("@codemirror/streamparser").StringStream, "match"> {
  match(pattern: RegExp, consume?: boolean): RegExpMatchArray | null;
  match(pattern: string): boolean;
}
type Editor = ReturnType<typeof import("./editor.js").mount>;
type Pictures = ReturnType<typeof import("./picture.js").mount>;
type CatEditor = Awaited<ReturnType<typeof import("./cateditor.js").mount>>;
type Drawing = ReturnType<typeof import("./drawing.js").activate>;

// --- what the server answers ---

/** A Mark is at a place of a text, counted from 1. */
interface Mark {
  line: number;
  col: number;
  message: string;
}

interface ModelMark extends Mark {
  file?: string;
  fix?: Fix;
}

/** A Fix mends what is wrong: text for what was at a place. */
interface Fix {
  title: string;
  line: number;
  col: number;
  was: string;
  text: string;
}

/** Checked is what POST /check says of a text, and of models of one's own. */
interface Checked {
  errors: ModelMark[];
  remarks: ModelMark[];
  arch?: string;
  doc?: string; // what a test says of itself
  models: string[];
  own: { name: string; errors: ModelMark[] }[];
}

/** A CellMark is where an instruction stands. */
interface CellMark {
  key: string;
  line: number;
  col: number;
  length: number;
}

interface Word {
  name: string;
  kind?: string;
  operands?: string;
  help: string;
}

/** Words are what GET /words knows of what is written in: tests of an architecture, models, or programs. */
interface Words {
  arch: string;
  instructions: Word[];
  registers: string[];
  aliases?: string[];
  modifiers?: string[];
  sigil?: string;
  bodies?: boolean;
  controls?: string[];
  types?: string[];
  keywords: Word[];
  models: string[];
  asks?: string[];
  calls: Word[];
}

interface CatWords {
  words: Word[];
  files: { name: string; help: string; defines: Word[] }[];
  builtin: string[];
}

/** An Example is a text to begin with: of a classic test, or a program. */
interface Example {
  id?: string;
  name: string;
  note: string;
  source: string;
  models: string[];
  arch?: string;
  defines?: string[];
  unroll?: number;
}

// --- what modules hand to one another ---

/** An OwnModel is one of the visitor's, with the files that it includes. */
interface OwnModel {
  name: string;
  text: string;
  files: Record<string, string>;
}

/** A Question is what drafts keep. */
interface Question {
  source: string;
  arch: string;
  models: string[];
  engine: string;
  options: Record<string, string>;
  own: OwnModel[];
  properties?: string[];
  file?: string; // of a program: what its source is called
  files?: SourceFile[]; // … and its others
}

/** A SourceFile is a file of a program. */
interface SourceFile {
  name: string;
  text: string;
}

/** A Link is what an address holds: what is not said is as usual. */
interface Link {
  source: string;
  models: string[];
  own?: OwnModel[];
  engine?: string;
  options?: Record<string, string>;
  view?: Partial<View>;
}

/** What was Picked is what a picture is shown of. */
interface Picked {
  column: string;
  state: string;
  flag?: string;
  n?: number; // which of its executions, from 1
  sure?: boolean; // it stays, whatever comes of the rest of the answer
}

/** A View is what is shown of an answer: the pick null of what answers, the run null as it is first shown. */
interface View {
  pick: Picked | null;
  beside: string;
  tab: string;
  relations: Switched;
  run: { path: string | null; step: number } | null;
}

interface Switched {
  show: string[];
  hide: string[];
}

interface Problem extends ModelMark {
  severity: "error" | "info";
  model?: import("./cateditor.js").EditedModel; // whose it is, in the editor of models
  path?: string;
}

interface EditorHooks {
  run(): unknown;
  change(): unknown;
  pasted(text: string): unknown;
  cell(key: string | null): void;
  check(text: string): Promise<Problem[]>;
  id?: string;
  label?: string;
  language?: (known?: Words) => Extension;
  writing?: () => Promise<{ extension: Extension; resume?: (view: import("@codemirror/view").EditorView) => void }>;
  undoing?: Extension;
  open?(file?: string): unknown;
  here?(file?: string): boolean;
}

/** ModelLines are lines of a model's text. */
interface ModelLines {
  file: string;
  from: number;
  to: number;
}

interface AnswerHooks {
  question(): URLSearchParams; // once something was asked
  picture(pick: Picked): unknown;
  beside(column: string): unknown;
  remove(column: string): unknown;
  start(model: string): unknown;
  goTo(line: number, col: number): unknown;
}

interface PictureHooks {
  question(): URLSearchParams; // the form as it was asked, once it was
  columns(): { column: string; label: string }[];
  apart?(a: string, b: string, state: string): string | null; // a state that two columns differ in, or null
  light(keys: Set<string>): unknown;
  goTo?(line: number, col: number): unknown;
  chosen(pick: Picked): unknown;
  changed(): unknown;
  say(text: string): unknown;
  lightModel?(lines: ModelLines): unknown;
  still?: boolean;
  walks?: boolean;
  steps?(run: Run | null): unknown;
  stepped?(state: Standing): unknown;
  at?: string;
}

interface DrawingHooks {
  lit?(keys: Set<string>, ids?: number[]): unknown;
  file?(format: string, shown: Switched): Promise<Blob>;
  say?(text: string): unknown;
}

interface Step {
  done: Set<number>;
  waiting: Set<number>;
  now: Set<number>;
  key: string | null;
  next: string[];
  step: number;
  path: string | null;
  end: boolean;
}

interface RunHooks extends DrawingHooks {
  question?(): URLSearchParams;
  onStep?(step: Step): unknown;
  shown?(state: Standing): unknown;
}

/** A Cell is a register or a location with its value. */
interface Cell {
  name: string;
  value: string;
  new?: boolean; // the step has set it
  until?: number; // of a pending store: when it reaches memory
}

/** A Choice is a step that can come next. */
interface Choice {
  step: string;
  thread: number;
  text: string;
  flush?: boolean;
}

/** A ListNode is a node of a write list. */
interface ListNode {
  node: number;
  value?: string;
  stamp: number;
  place: string;
}

/** A Frame is a step of a run, as the server has it. */
interface Frame {
  thread: number;
  source: number;
  did?: string;
  note?: string;
  text?: string;
  round?: number;
  clock?: number;
  events?: number[];
  waiting?: number[];
  memory?: Cell[];
  threads: { next: number; blocked?: string; regs?: Cell[]; buffer?: Cell[]; view?: Cell[] }[];
  lists?: { loc: string; nodes: ListNode[] }[];
  choice?: string;
  choices?: Choice[];
}

/** A RecordedRun is the run behind an outcome, as the server has it in the page. */
interface RecordedRun {
  machine: boolean; // other steps can be chosen
  threads: string[];
  frames: Frame[];
  events: number[];
}

/** A Reached is an outcome that can be reached from a state. */
interface Reached {
  state: Record<string, string>;
  satisfies: boolean;
}

interface Reachable {
  outcomes: Reached[];
  complete: boolean;
  why?: string;
}

/** Walked is what POST /walk answers: the run along a path. */
interface Walked {
  frames: Frame[];
  left?: number;
  reachable: Reachable;
}

/** A Standing is where a run stands. */
interface Standing {
  frames: Frame[];
  frame: Frame;
  at: number;
  last: number;
  playing: boolean;
  away: boolean;
  done: Set<number>;
  waiting: Set<number>;
}

/** A Place is a line in a program of several files. */
interface Place {
  file: string;
  line: number;
}

interface StepperHooks {
  here(file: string): boolean;
  open(file: string): unknown;
}

/** Places are those of an execution's steps and values in the program. */
interface Places {
  lines: Record<string, Place>;
  values: Record<string, { text: string; write?: boolean }>;
  spawns: Record<number, number>;
  fails: Place[];
}

/** A Run is where the steps of an execution are, and how to put them elsewhere. */
interface Run {
  threads: string[];
  path(): string | null;
  step(): number;
  go(step: number): void;
  walk(path: string | null, step: number): Promise<void>;
  act(key: string): unknown;
  leave(): void;
}

interface WhyHooks {
  host: HTMLElement | null;
  lightModel?: PictureHooks["lightModel"];
}

interface OpenedFile {
  kind?: string;
  name: string;
  text: string;
  files?: SourceFile[];
}

interface FileHooks {
  button: HTMLElement;
  ready(): Promise<unknown>;
  load(file: OpenedFile): unknown;
  say(text: string): unknown;
  kinds?: Record<string, string>;
  what?: string;
  many?: boolean;
}

interface DraftHooks<State = Question> {
  get(): State;
  set(state: State): unknown;
  name(state: State): string;
  bar: HTMLElement;
  place?: string;
  first?: State;
  over?: string;
}

interface VisitHooks {
  state(): Link | null;
  open(link: Required<Link> & { view: View }): unknown;
  pick(id: string): unknown;
  fail(error: Error): unknown;
}

interface TypingHooks {
  toggle?: HTMLInputElement;
  text(): string;
  due(): boolean;
  run(): unknown;
}

/** A BenchPage is what one page with a bench does otherwise than another. */
interface BenchPage {
  editor: Omit<EditorHooks, "run" | "change" | "check">;
  pictures: Omit<PictureHooks, "question" | "changed" | "say">;
  files: Omit<FileHooks, "button" | "ready" | "say">;
  name(state: Question): string;
  state?(): Pick<Question, "properties" | "file" | "files"> & { source?: string };
  choose(state: Question): unknown;
  restored?(state: Question): unknown;
  chose?(name: string): unknown;
  brief(link: Link, state: Question): Link;
  whole(state: Question, link: Required<Link>): Question;
  unnamed(state: Question): unknown;
  checks: string;
  checkAll?: boolean;
  checked?(answer: Checked): unknown;
  examples: string;
  address: string;
  noExample: string;
  picked(example: Example): unknown;
  show(html: string): Picked | null;
  pick(first: Picked | null, wished: Picked | null, last?: boolean): Picked | null | undefined;
  wishes?: boolean;
  changed?(): boolean;
  runs?(): unknown;
  placed?(): unknown;
}

interface ModelPage {
  nonce: string;
  run(): unknown;
  change(): unknown;
  rename(from: string, to: string): unknown;
  check(models: OwnModel[]): Promise<Checked>;
}

/** A Cycle is a ring's, in the words of a dialect; was: of the dialect before. */
interface Cycle {
  arch: string;
  cycle: string;
  was?: string;
}

interface PickerHooks {
  pick(id: string): unknown;
  arch(): string;
  mine(): Mine[];
}

interface ListHooks {
  query: string;
  here: string;
  only: string;
  current: string;
  mine: Mine[];
  close(): unknown;
  page?: string;
  what?: string;
}

/** A Listed is a text to begin with, as the server lists them. */
interface Listed {
  id: string;
  name: string;
  note: string;
  about?: string;
  code?: string;
}

interface ListedFamily {
  title: string;
  tests: Listed[];
}

interface ListedArch {
  name: string;
  about: string;
  families: ListedFamily[];
}

/** A ListEntry is a text of the list, with the words by which it is found. */
interface ListEntry extends Omit<Listed, "about"> {
  arch: string;
  family: string;
  lower: string;
  parts: string[];
  about: string[];
  rest: string[];
}

interface ShareHooks {
  state(): Link;
  fields(): URLSearchParams;
  name(): string;
  say(text: string): unknown;
}

/** A ShareKind is what a question can be shared as. */
interface ShareKind {
  name: string;
  help: string;
  kind: string;
}

/** A SuiteRow is a test of a suite with what models say of it, a letter each. */
interface SuiteRow {
  n: number;
  path: string;
  name?: string;
  codes: string;
  ms: number;
}

/** A SuiteProgress is how far a suite is, as the REST interface has it. */
interface SuiteProgress {
  version: string;
  state: string;
  rows: number;
  done: number;
  cached: number;
  set_aside: number;
  rate?: number;
  left_seconds?: number;
  totals: { allowed: number; forbidden: number; undecided: number; failed: number; holds: number }[];
}

/** Mine is a text that the browser keeps of its visitor. */
interface Mine {
  name: string;
  note: string;
  take(): unknown;
}
