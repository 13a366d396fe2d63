// Types that modules share. The types of the server's JSON are in server.d.ts.

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

/** CWords are what the server knows of C, in tests or in programs. */
type CWords = Partial<Pick<ProgramWords, "modifiers" | "controls" | "types" | "asks">>;

/** An Example is a text to begin with: of a classic test, or a program. */
type Example = TestExample | ProgramExample;

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
  meaning?: string[]; // … and the options that change what its text means
}

/** A Link is what an address holds, read: what is not said is as usual. */
interface Link extends Omit<LinkState, "own" | "view"> {
  own?: OwnModel[];
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
  compiled?: string; // an architecture and variants, or "all"; "" or nothing: no compiled text is shown
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
  language?: (known?: TestWords) => Extension;
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

/** WalkedPath is a run along a path, which always has steps and what can still come of it. */
type WalkedPath = Walked & Required<Pick<Walked, "frames" | "reachable">>;

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

interface StepperHooks {
  here(file: string): boolean;
  open(file: string): unknown;
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

/** A Draft is what is kept of a state, with the time in milliseconds and where it was written. */
interface Draft<State> {
  at: number;
  url: string;
  tab: string;
  place?: string;
  name: string;
  state: State;
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
  compile?(to: string): unknown;
}

/** AnsweringHooks are what a bench lends to the asking of its question. */
interface AnsweringHooks {
  result: HTMLElement;
  pane: HTMLElement; // of pictures
  asked: import("./asked.js").Asked;
  pictures(): Pictures;
  begin(): import("./asked.js").Asking; // asks the form's question
  came(): unknown; // a part of the answer has
  ended(): unknown; // the answer has
  tell(text: string): unknown; // something that is to be seen
  say(text: string): unknown;
  shown(done: boolean): unknown; // a picture is, or there is none; or not done: another has been asked for
}

interface ModelPage {
  nonce: string;
  run(): unknown;
  change(): unknown;
  rename(from: string, to: string): unknown;
  check(models: OwnModel[]): Promise<Required<Checked>>;
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

interface ShareHooks {
  state(): Link;
  fields(): URLSearchParams;
  name(): string;
  say(text: string): unknown;
}

/** SuiteEvents are what to do with the events of a suite. */
interface SuiteEvents {
  progress(now: SuiteProgress): unknown;
  rows(rows: SuiteMark[]): unknown;
  end(how: SuiteEnd): unknown;
}

/** Mine is a text that the browser keeps of its visitor. */
interface Mine {
  name: string;
  note: string;
  take(): unknown;
}

/** A style sheet's text, as the bundler puts it into a script. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** A DeviceOrder is what device.js tells a worker: its module, or the counter, and memory first, then batches. With
 * tables, the worker counts outcomes in these, and results is where their numbers are. */
interface DeviceOrder {
  module?: WebAssembly.Module;
  counter?: WebAssembly.Module;
  memory?: WebAssembly.Memory;
  tables?: number[];
  order: number;
  results: number;
  cells: number;
  seed: number;
}
