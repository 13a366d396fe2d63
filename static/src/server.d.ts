// What the server sends scripts in JSON. Written by "go run ./static/scripttypes" from the Go types
// that handlers encode: change those. Handlers send no nil lists and maps, which would be null.

/** Mark is a message at a place of the test. Line and column count from 1, columns in UTF-16 units as in browsers. */
interface Mark {
  line: number;
  col: number;
  message: string;
  file?: string; // set for a place in a model's file
  fix?: Fix; // a correction, if there is one
  more?: number; // how many errors it stands for, if the list was cut
}

/** Fix is a correction: it replaces the text Was at a place, which counts as in Mark, by Text. */
interface Fix {
  title: string;
  line: number;
  col: number;
  was: string;
  text: string;
  open?: string; // a page that reads the text: /programs or /explore; such a Fix changes nothing
}

/** ModelMark is a mark in a model's text, or in a file that it includes. */
interface ModelMark {
  file?: string; // "": the model's own text
  line: number;
  col: number;
  message: string;
  fix?: Fix; // a correction, if there is one
  more?: number; // how many errors it stands for, if the list was cut
}

/** Checked has the messages about a question while the visitor types it. From: POST /check. */
interface Checked {
  errors: Mark[]; // all that is wrong with the test
  remarks: Mark[]; // what its author should know
  arch?: string;
  doc?: string; // what a test says of itself; nil where it cannot be read
  models?: string[]; // that go with the architecture
  own?: OwnCheck[]; // the visitor's own models, in the order of the form
}

/** CellMark is the place of an instruction in the text, for the editor: a line from 1, and a column from 0 and a length
 * in UTF-16 units. From: #cells-data. */
interface CellMark {
  key: string; // see cellKey
  line: number;
  col: number;
  length: number;
}

/** TestWords is what completion knows of tests of one architecture. From: GET /words?arch=X86. */
interface TestWords {
  arch: string;
  instructions: Instruction[]; // the most usual first
  registers: string[];
  aliases?: string[]; // further names of registers
  modifiers?: string[]; // other words among operands
  sigil?: string; // before a register in an instruction
  bodies?: boolean; // threads are functions of C
  controls?: string[]; // of C: words for where control goes
  types?: string[]; // of C: words that types are made of
  keywords: Keyword[];
  models: string[]; // to be ticked for a test of it
}

/** CatWords is what completion knows of models. From: GET /words?arch=cat. */
interface CatWords {
  words: Word[];
  files: CatFile[]; // to include
  builtin: string[]; // names that are taken
}

/** CatFile is one that models may include. */
interface CatFile {
  name: string;
  help: string; // its title, or what its first comment says
  defines: Word[]; // for those who include it
}

/** ProgramWords is what completion knows of C programs. From: GET /words?arch=program. */
interface ProgramWords {
  calls: Instruction[];
  modifiers: string[]; // memory orders
  controls: string[];
  types: string[];
  asks: string[]; // calls by which a program says what is asked of it
}

/** TestExample is a classic test in the data for the page's script. From: GET /classic/{id}. */
interface TestExample {
  arch: string; // LKMM for the Linux kernel's C
  models: string[]; // the models to tick
  name: string; // unique in its architecture
  family: string; // the kind of question it asks
  large: boolean; // a whole program, which may take an engine long
  note: string; // one line
  source: string; // the test's text
  shape: string; // the name of its shape: SB, MP, Locks
  cycle?: string; // the cycle that it tests, in diy's notation
  remark?: string; // a few sentences, if the test teaches something special
  verdicts: Verdict[]; // the verdict of each built-in model
}

/** ProgramExample is an example in the data for the page's script. From: GET /programs/program/{id}. */
interface ProgramExample {
  models: string[]; // the models to tick
  id: string; // the name, followed by the macros
  name: string;
  note: string;
  source: string;
  defines: string[];
  unroll?: number; // 0: default
  /** Properties are the ones of the known verdicts; nil for the default. */
  properties?: ("accesses of one width" | "assertion" | "data-race" | "defined behaviour" | "leak" | "memory" | "overflow" | "termination")[];
}

/** ListedArch is a part of a list to pick from: the classic tests of one architecture. From: GET /classics/list, GET
 * /programs/list. */
interface ListedArch {
  name: string;
  title: string; // its name as people write it
  families: ListedFamily[];
}

/** ListedFamily is what belongs together in a part. */
interface ListedFamily {
  title: string;
  tests: Listed[];
}

/** Listed is a test as the list has it. The fields that JSON leaves out are for searches; see [Index]. */
interface Listed {
  id: string;
  name: string;
  note: string;
}

/** PickerResults is what a picker shows for a query: what it finds in the picker's list, and items elsewhere, whose IDs
 * are their addresses. From: GET /classics/list?q=, GET /programs/list?q=. */
interface PickerResults {
  found: PickerFound[];
  also?: ListedArch[];
}

/** PickerFound is what a query matches in one part of a list, best first. */
interface PickerFound {
  part: string;
  ids: string[];
}

/** LinkState is the content of an explorer address's fragment, in the form of the page's script. Options has only the
 * options that differ from their defaults. View is the state of the page. */
interface LinkState {
  source: string;
  models: string[];
  own?: SentModel[];
  engine?: string;
  options?: Record<string, string>;
  view?: unknown;
}

/** AnswerPart is a line. From: a line of an answer that comes in parts. */
interface AnswerPart {
  part: string;
  last?: boolean;
  problem?: string; // of the server, instead of a part
}

/** From: GET /copy. */
interface ShareMenu {
  teach: boolean; // a class can be opened on it
  links: ShareKind[];
  copies: ShareKind[];
}

/** KeptLink is the address of a stored link, for the page's script. From: POST /links. */
interface KeptLink {
  url: string;
}

/** ExecutionCount is the number of an outcome's executions, for the page's script. From: POST /executions. */
interface ExecutionCount {
  count: number;
  complete: boolean; // there are no others
}

/** RecordedRun is a run as the page's script has it. From: the script in .player. */
interface RecordedRun {
  machine: boolean; // other steps can be chosen
  threads: string[]; // their names
  frames: Frame[];
  events: number[]; // of the drawing, but initial writes
}

/** Frame is a frame with what engines that have rounds, a clock or write lists add. */
interface Frame {
  text?: string; // of the step's statement, of a program
  round?: number;
  clock?: number;
  lists?: WriteList[];
  did?: string; // what the step did, in words
  thread: number; // whose it was, by index; -1 for the first frame
  source: number; // its instruction, by index in the thread's column; -1 for none
  /** Note says what is unusual about the step: that it overtakes an earlier one. */
  note?: string;
  /** Events are those of the drawn execution that the step performs. */
  events?: number[];
  /** Waiting are the performed writes that some thread cannot see yet. */
  waiting?: number[];
  /** Memory is what all threads see, by location; nil if each thread has its own view. */
  memory?: Cell[];
  /** Messages is memory as machines with views have it: a list of writes, numbered from 1. nil of others. */
  messages?: Message[];
  /** Orders: Memory lists the messages of each location in coherence order, because their numbers do not. */
  orders?: boolean;
  /** Propagates: Messages are what threads have committed to a storage subsystem, which propagates them one by one.
   * Memory lists the writes of each location in coherence order. */
  propagates?: boolean;
  threads: ThreadState[];
  /** Choice is the step as a part of a path, Choices are the steps that can come next. */
  choice?: string;
  choices?: Choice[];
}

/** PlainFrame is the visible state of a run after one of its steps; the first frame is the state before the first step.
 * */
interface PlainFrame {
  did?: string; // what the step did, in words
  thread: number; // whose it was, by index; -1 for the first frame
  source: number; // its instruction, by index in the thread's column; -1 for none
  /** Note says what is unusual about the step: that it overtakes an earlier one. */
  note?: string;
  /** Events are those of the drawn execution that the step performs. */
  events?: number[];
  /** Waiting are the performed writes that some thread cannot see yet. */
  waiting?: number[];
  /** Memory is what all threads see, by location; nil if each thread has its own view. */
  memory?: Cell[];
  /** Messages is memory as machines with views have it: a list of writes, numbered from 1. nil of others. */
  messages?: Message[];
  /** Orders: Memory lists the messages of each location in coherence order, because their numbers do not. */
  orders?: boolean;
  /** Propagates: Messages are what threads have committed to a storage subsystem, which propagates them one by one.
   * Memory lists the writes of each location in coherence order. */
  propagates?: boolean;
  threads: ThreadState[];
  /** Choice is the step as a part of a path, Choices are the steps that can come next. */
  choice?: string;
  choices?: Choice[];
}

/** ThreadState is one thread in a frame. */
interface ThreadState {
  next: number; // its next instruction; -1 when it has ended
  blocked?: string; // what that waits for
  regs?: Cell[];
  buffer?: Cell[]; // its pending stores, oldest first
  view?: Cell[]; // what it sees, by location
  bounds?: Cell[]; // the messages after which its next accesses come
}

/** Assembled is the answer to a Request. From: POST /device. */
interface Assembled {
  errors?: TestError[];
  test?: AssembledTest;
  names?: string[]; // of the columns of outcomes
  states?: string[][]; // by Values, then by Names; empty for cells that the filter leaves out
}

/** AssembledTest is a litmus test in WebAssembly. */
interface AssembledTest {
  threads: AssembledThread[];
  /** Cell is the number of bytes of one cell. A cell begins at a multiple of it. Initial has the locations of a cell
   * that do not begin with 0. */
  cell: number;
  pages: number; // the maximum of the shared memory, which is [MostPages]
  initial: Var[];
  /** Observed says where the numbers of an outcome are, in the order of the program's observables. */
  observed: ObservedPlace[];
  /** Changes names what becomes stronger than it is in the test, or weaker. */
  changes: Change[];
  /** Perpetual is the test without a barrier. BarrierOnly says why there is none. */
  perpetual?: PerpetualTest;
  barrierOnly?: string;
}

/** AssembledThread is the module of one thread. It exports run(order, results, barrier, from, to: i32, zero: i64, seed:
 * i32): order is the address of a table of addresses of cells (i32), of which run takes those from from to before to;
 * results is the address of a table of rows, one for each cell; barrier is the address of the barrier's counter; zero
 * is 0. */
interface AssembledThread {
  name: string;
  module: string; // in base64, in JSON
  /** Listing is the text of the module's function, with the test's instructions as comments. */
  listing: string;
  /** Row is the number of i64 of a row of results: a status, which is not 0 if the cell must not be counted, then the
   * observed registers. */
  row: number;
}

/** ObservedPlace is where an observable's value is: in a thread's row, or in the cell (Thread is -1). */
interface ObservedPlace {
  thread: number;
  index: number; // in the row, or the offset in the cell
  bits: number;
}

/** PerpetualTest is a test that runs without a barrier in each iteration, after the idea of Melissaris, Markakis, Shaw
 * and Martonosi (PerpLE, MICRO 2020). The threads meet once, and then each runs its code again and again, on the same
 * locations. In iteration n, the store number a (from 1) of the k stores to a location writes k*n+a, so that the value
 * of a load says which store of which iteration it has read. All locations begin as 0. */
interface PerpetualTest {
  /** Threads have rows of the values of their loads. Their parameters are those of a [Test]'s threads, except that
   * order is the address of the address of the one cell, and from and to are iterations. */
  threads: AssembledThread[];
  /** Counter is a module that exports run(counts, n, results: i32 …): it adds, for each of Outcomes, the number of
   * frames among n iterations of all threads to an i32 at counts. results are the addresses of the threads' tables of
   * rows. It looks at one frame for each iteration of a thread and each outcome, so that its time is linear in n. */
  counter: string; // in base64, in JSON
  /** Outcomes are what frames can have, as numbers in the order of Test.Observed, in decimal. Several may be equal:
   * they differ in loads that the test does not observe. */
  outcomes: string[][];
  /** Most is the largest number of iterations, for which values have 32 bits. */
  most: number;
}

/** Walked is a run, or why there is none. From: POST /walk. */
interface Walked {
  refused?: string;
  bad_test?: TestError[];
  threads?: number[]; // as numbered in the test
  /** Machine names the machine whose steps these are, which may leave the path for others; "" for an execution with an
   * order of its events. */
  machine?: string;
  frames?: PlainFrame[];
  /** Why says why the frames are an order of events, although the model has a machine. */
  why?: string;
  /** Stuck, of a forbidden execution, says where the frames stop. */
  stuck?: string;
  /** LeavesAt is the first step after which the run cannot be that of the execution any more; 0 for none. */
  left?: number;
  /** Reachable is what can still follow a path. */
  reachable?: Reachable;
}

/** Places relates an execution to lines of the program's text. From: #places. */
interface Places {
  lines: Record<string, Place>; // by cellKey
  fails: Place[];
  values: Record<string, PlaceValue>; // of what events access
  spawns: Record<string, number>; // the events that threads begin with, by thread
}

/** Place is a line of a file. */
interface Place {
  file: string;
  line: number;
}

/** PlaceValue is a value that an event reads or writes: "x = 1". */
interface PlaceValue {
  text: string;
  write?: boolean;
}

/** SuiteRow is a test with what its models say, a letter each. From: GET /suites/{id}/matrix. */
interface SuiteRow {
  n: number;
  path: string;
  name: string;
  codes: string; // by model; Waiting where there is none
  ms: number; // all models together
  /** Machines has the cells of the suite's machines, which readers add. */
  machines?: SuiteSeen[];
}

/** SuiteSeen is what a machine has shown of a test, in short. */
interface SuiteSeen {
  text: string;
  title: string;
  alarm?: boolean; // an outcome that a model forbids
}

/** SuiteMatching are the tests that match a filter, as indices: the first one, then the distance from each to the next.
 * From: GET /suites/{id}/matching. */
interface SuiteMatching {
  steps: number[];
}

/** From: event progress of a suite. */
interface SuiteProgress {
  id: string;
  name: string;
  labels: Record<string, string>;
  owner?: string;
  state: SuiteState;
  created: string;
  finished?: string;
  models: string[]; // names of models; an empty name stands for the model of each test's architecture
  engine: string;
  options: Record<string, string | number | boolean>;
  version: string; // version of the engines and the built-in models; answers of the same version are comparable
  tests: number;
  rows: number; // expected rows: one for each test and model
  done: number; // rows that exist so far
  unknown: number;
  failed: number;
  cached: number;
  set_aside: number; // tests that were abandoned because workers crashed on them
  totals: ModelTotals[]; // totals for each model
  rate?: number; // recent rate in rows per second
  left_seconds?: number; // estimated remaining time in seconds
  seq: number; // sequence number of the most recently recorded row
}

/** SuiteMark is a row in short form: position, code, milliseconds. From: event rows of a suite, which has a list of
 * them. */
type SuiteMark = [position: number, code: string, milliseconds: number];

/** SuiteEnd is the data of the event end. From: event end of a suite. */
interface SuiteEnd {
  state: SuiteState;
}

/** SuiteState says how far a suite is. */
type SuiteState = "cancelled" | "done" | "receiving" | "running";

/** ClassEvent is the data of an event. From: events view, tally and end of a class. */
interface ClassEvent {
  html: string;
  status?: string;
}

/** CastVote is the JSON answer to a vote. From: POST /class/{code}/vote. */
interface CastVote {
  item: number;
  round: number;
  ballot: string;
  text?: string; // the written answer, instead of a ballot
  made: number;
  /** Tried is the result for the edits in this request, which need not be the edits that count. */
  tried?: Tried;
}

/** DeviceReply is the JSON answer to a report. From: POST /class/{code}/report. */
interface DeviceReply {
  /** Outcomes has the texts of the outcomes that the report counts, by the numbers that it counts them under. Cells
   * that the test's filter leaves out have the text "". */
  outcomes: Record<string, string>;
  html: string; // the page's part about devices
}

/** Tried is the result that a voter sees for an edit. */
interface Tried {
  mark: string; // as in barView
  text: string;
}

/** SourceFile is a file of a program. From: data-without of a repair, which has a list of them. */
interface SourceFile {
  name: string;
  text: string;
}

/** TestError is a mistake in a test or a model: its place, and a message for the author. */
interface TestError {
  Pos: TestPos;
  Msg: string;
  Fix?: TestFix; // a correction; the zero Fix if none is known
  /** More, unless 0, is the number of errors that this one stands for, because a list was cut. */
  More?: number;
}

/** TestFix is a correction of a text: it replaces Was at a place, which may have several lines, by Text, which may be
 * "". */
interface TestFix {
  Pos: TestPos;
  Was: string;
  Text: string;
  Title?: string; // what the correction does, if String would quote too much
  /** Opens, if not "", names the page that reads this text: such a Fix changes nothing. */
  Opens?: "Explorer" | "Programs";
}

/** TestPos is a place in a source file. Line and Col count from 1; Col counts bytes. */
interface TestPos {
  File: string;
  Line: number;
  Col: number;
}

/** SentModel is a user's own model, as text. */
interface SentModel {
  name: string; // letters, digits, - and _; not the name of a built-in model
  text: string; // the model in the cat language
  files?: Record<string, string>; // the files that the text includes, by name
}

/** From: GET /api/v1/models, which has a list of them. */
interface BuiltInModel {
  name: string;
  title: string;
  text?: string; // the model in the cat language
}

/** TermCards maps a term's ID to its name and text, for the page's script. From: GET /glossary/terms. */
type TermCards = Record<string, [string, string]>;

/** SiteFile is what site.json says of a site, for the script that starts its program. From: site.json of a static site.
 * */
interface SiteFile {
  assets: AssetTable | null; // as the program takes them
  files: string[]; // all addresses, for the service worker
  made: string; // which version of everything it is
  program: string; // the address of the program, compressed with Brotli
  decoder: string; // … of the script that decompresses it where the browser cannot
  worker: string; // … and of the script that runs it
}

/** AssetTable has everything that pages need to know about assets. In a static site's program, the table comes from the
 * site, because the site's host serves the files. */
interface AssetTable {
  paths: Record<string, string>; // addresses, by file names
  imports: Record<string, string[]>; // chunks that a script imports at its start, by file names
  typefaces: Record<string, string[]>; // addresses of a style sheet's typefaces, by file names
}

/** ProblemDocument is a problem document (RFC 9457), the REST interface's one form of error. From: every answer that
 * reports an error. */
interface ProblemDocument {
  title: string; // text of the HTTP status
  status: number; // HTTP status
  detail?: string; // what is wrong
  errors?: ProblemDetail[]; // the single errors, with their places if known
  /** Request is set if the server is at fault. */
  request?: string;
}

/** OwnCheck has the errors in one of the visitor's own models. */
interface OwnCheck {
  name: string;
  errors: ModelMark[];
}

/** Instruction is what a statement begins with, or a call. */
interface Instruction {
  name: string;
  operands?: string; // to begin with
  kind: "access" | "atomic" | "fence" | "jump" | "value";
  help: string;
}

/** Keyword is one of the frame of a test. */
interface Keyword {
  name: string;
  help: string;
}

/** Word is a name that models may use, for editors. */
interface Word {
  name: string;
  kind: string; // keyword, set, relation, function or procedure
  help: string;
}

/** Verdict is a model's answer to a test. */
interface Verdict {
  model: string;
  verdict: string;
  source?: string; // the publication that reports the verdict; absent if only our engines do
}

/** ShareKind is an entry of the Share menu: a kind of link, the source, or a format in which to copy a question. */
interface ShareKind {
  name: string;
  help: string;
  kind: string;
}

/** WriteList is the temporal circular list of a location's writes (T-CDLL, tomasco-2016): its nodes from the sentinel's
 * successor to the sentinel. */
interface WriteList {
  loc: string;
  nodes: ListNode[];
}

/** Cell is a register or location with its printed value. */
interface Cell {
  name: string;
  value: string;
  new?: boolean; // the step has set it
  until?: number; // of a pending store: when it reaches memory, if that is known
}

/** Message is a write in a memory of messages. */
interface Message {
  thread: number; // by index
  text: string; // "x=1"
  new?: boolean;
  promised?: boolean; // its instruction has not executed yet
}

/** Choice is a step that can come next. */
interface Choice {
  step: string; // as part of a path: it means the same in every state that offers it
  thread: number; // by index
  text: string; // "MOV EAX,[y]", "flush x=1"
  flush?: boolean;
}

/** Var is an initial value: a number of some bits at an offset in a cell. */
interface Var {
  offset: number;
  bits: number;
  value: string; // the initial value, in decimal
}

/** Change is an instruction that WebAssembly cannot express as it is. */
interface Change {
  thread: string;
  source: string; // the instruction
  what: string; // "becomes …"
}

/** Reachable are the outcomes that a run can still come to. */
interface Reachable {
  outcomes: Reached[];
  /** Complete: there are no others. Otherwise Why says what cut the search short. */
  complete: boolean;
  why?: string;
}

/** ModelTotals are a suite's rows under one of its models. */
interface ModelTotals {
  model: string;
  allowed: number;
  forbidden: number;
  undecided: number;
  failed: number;
  holds: number; // the condition does
}

/** ProblemDetail is one error of a problem. File, Line and Column are its place in the test or the model: both count
 * from 1, columns in bytes. Location is its place in the request. */
interface ProblemDetail {
  message: string;
  location?: string; // place in the request, such as body.models
  file?: string;
  line?: number; // line in the test or the model, from 1
  column?: number; // column in the line, in bytes from 1
}

/** ListNode is a node of a write list. */
interface ListNode {
  node: number; // index into the list's arrays
  value?: string;
  stamp: number;
  /** Place is "free" for a node that the next write may take, "head" for the value that memory has, "waiting" for a
   * store in a buffer, "sentinel" for the last. */
  place: string;
}

/** Reached is one of them. */
interface Reached {
  state: Record<string, string>;
  satisfies: boolean; // the test's proposition holds in it
}
