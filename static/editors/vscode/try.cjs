// Tests the bundled extension with a mock of VS Code: the extension starts the server (LITMUSCOPE), shows the errors of a
// test, and registers all features of the server. Run by task vsix.

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const Module = require("node:module");

const about = require("./package.json");
for (const file of [about.main, ...about.contributes.languages.map((l) => l.configuration)]) {
  if (!existsSync(join(__dirname, file))) throw new Error(`package.json names ${file}, which is not there`);
}

const disposable = { dispose() {} };
const event = () => disposable;
const registered = new Set();

class Made {
  constructor(...args) {
    this.args = args;
  }
  static create(...args) {
    return new this(...args);
  }
  append() {
    return this;
  }
}

class Disposable {
  static from() {
    return disposable;
  }
  dispose() {}
}

class Emitter {
  listeners = [];
  event = (f) => (this.listeners.push(f), disposable);
  fire(e) {
    for (const f of this.listeners) f(e);
  }
  dispose() {}
}

class Tokens {
  token = { isCancellationRequested: false, onCancellationRequested: event };
  cancel() {}
  dispose() {}
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.fsPath = this.path = text.slice("file://".length);
  }
  static parse(text) {
    return new Uri(text);
  }
  toString() {
    return this.text;
  }
}

// standIn mocks a part of VS Code: events never fire, registrations are recorded, and constructors accept anything.
const standIn = (known) =>
  new Proxy(known, {
    get(part, name) {
      if (name in part || typeof name === "symbol") return part[name];
      if (/^on(Did|Will)/.test(name)) return event;
      if (name.startsWith("register")) return () => (registered.add(name.slice("register".length)), disposable);
      if (/^[A-Z]/.test(name)) return (part[name] = class extends Made {});
    },
  });

const text = "X86 SB\n{ }\n P0          | P1          ;\n MVO [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
const open = { uri: new Uri("file:///none/SB.litmus"), languageId: "litmus", version: 1, isClosed: false, lineCount: 6, fileName: "/none/SB.litmus", getText: () => text };
const settings = { command: process.env.LITMUSCOPE, arguments: [], programs: false };
const fail = (why) => {
  console.error(`the extension: ${why}`);
  process.exit(1);
};
const say = (line) => console.error(line);

const shown = new Promise((done) => {
  const collection = { set: (uri, list) => done({ uri: String(uri), list }), delete() {}, clear() {}, dispose() {} };
  const channel = { name: "Litmuscope", append: say, appendLine: say, error: say, warn: say, info() {}, debug() {}, trace() {}, show() {}, dispose() {}, onDidChangeLogLevel: event };
  const vscode = standIn({
    __esModule: true, // else its properties are copied, as far as they are there
    version: about.engines.vscode.replace("^", ""),
    Uri,
    EventEmitter: Emitter,
    CancellationTokenSource: Tokens,
    Disposable,
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    CodeActionKind: new Proxy({}, { get: () => new Made() }),
    env: { appName: "a stand-in", language: "en" },
    extensions: standIn({ all: [], getExtension() {} }),
    commands: standIn({ registerCommand: () => disposable }),
    languages: standIn({ createDiagnosticCollection: () => collection, match: (filters, document) => ([filters].flat().some((f) => f.language === document.languageId && f.scheme === document.uri.scheme) ? 10 : 0) }),
    window: standIn({ visibleTextEditors: [{ document: open }], activeTextEditor: { document: open }, tabGroups: standIn({ all: [] }), createOutputChannel: () => channel, showErrorMessage: fail }),
    workspace: standIn({ textDocuments: [open], notebookDocuments: [], getConfiguration: () => ({ get: (name) => settings[name] }), getWorkspaceFolder() {}, createFileSystemWatcher: () => disposable }),
  });
  const load = Module._load;
  Module._load = (id, ...rest) => (id === "vscode" ? vscode : load(id, ...rest));
});

(async () => {
  const timer = setTimeout(() => fail("nothing came from the server"), 120_000);
  const extension = require(about.main);
  await extension.activate({ subscriptions: [] });
  const { uri, list } = await shown;
  if (uri !== String(open.uri) || list.length !== 1 || list[0].args[1] !== "X86: unknown instruction MVO: did you mean MOV?") fail(`it shows ${JSON.stringify(list)} of ${uri}`);
  for (const want of ["CompletionItem", "Hover", "Definition", "Reference", "DocumentHighlight", "CodeActions", "CodeLens", "DocumentFormattingEdit", "Rename", "DocumentSemanticTokens"]) {
    if (!registered.has(`${want}Provider`)) fail(`there is no ${want}Provider, but ${[...registered].join(", ")}`);
  }
  await extension.deactivate();
  clearTimeout(timer);
  process.exit(0);
})().catch((e) => fail(e.stack));
