// The extension starts litmuscope lsp and connects VS Code to it.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = workspace.getConfiguration("litmuscope");
  const command = settings.get("command");
  const languages = ["litmus", "cat", "bell", ...(settings.get("programs") ? ["c"] : [])];
  client = new LanguageClient(
    "litmuscope",
    "Litmuscope",
    { command, args: ["lsp", ...settings.get("arguments")] },
    { documentSelector: languages.flatMap((language) => ["file", "untitled"].map((scheme) => ({ scheme, language }))) },
  );
  try {
    await client.start();
  } catch (e) {
    client = undefined;
    window.showErrorMessage(`${command} lsp does not start: ${e.message}. The setting litmuscope.command says where litmuscope is.`);
  }
}

async function stop() {
  await client?.dispose();
  client = undefined;
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("litmuscope.restart", restart),
    workspace.onDidChangeConfiguration((e) => e.affectsConfiguration("litmuscope") && restart()),
  );
  await start();
};

exports.deactivate = stop;
