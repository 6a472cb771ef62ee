// Scenarios and tests in VS Code: the code lenses above `rules = ..` of a scenario and above the header of rules, and the
// tasks that run the program.
"use strict";

const vscode = require("vscode");

const RUN_SCENARIO = "grognard.runScenario";
const ODDS_SCENARIO = "grognard.oddsScenario";
const TEST_FILE = "grognard.testFile";

const COMMANDS = [
  { command: RUN_SCENARIO, lens: "run", verb: "run" },
  { command: ODDS_SCENARIO, lens: "odds", verb: "odds" },
  { command: TEST_FILE, lens: "test", verb: "test" },
];

/** Returns the line of the first key `rules` of a scenario, or -1. A key after a table header belongs to that table. */
function rulesLine(text) {
  const lines = text.split("\n");
  const table = lines.findIndex((line) => /^\s*\[/.test(line));
  const line = lines.findIndex((one) => /^\s*rules\s*=\s*"/.test(one));
  return table >= 0 && line > table ? -1 : line;
}

/** Returns the line of the header of a rules file, or -1. */
function headerLine(text) {
  return text.split("\n").findIndex((line) => /^\s*(ruleset|variant)\s/.test(line));
}

/** Returns the lenses of a document. */
function lenses(document) {
  const scenario = document.uri.path.endsWith(".toml");
  const line = scenario ? rulesLine(document.getText()) : headerLine(document.getText());
  if (line < 0) return [];
  const place = new vscode.Range(line, 0, line, 0);
  const shown = COMMANDS.filter((one) => scenario || one.command === TEST_FILE);
  return shown.map(
    (one) => new vscode.CodeLens(place, { title: one.lens, command: one.command, arguments: [document.uri] })
  );
}

/** Saves the file and runs the program on it in a terminal. */
async function run(verb, uri) {
  const editor = vscode.window.activeTextEditor;
  const target = uri || (editor && editor.document.uri);
  if (!target || target.scheme !== "file") {
    vscode.window.showErrorMessage("Open a rules file or a scenario first.");
    return undefined;
  }
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === target.toString());
  if (document && document.isDirty) await document.save();
  const program = vscode.workspace.getConfiguration("grognard").get("path") || "grognard";
  const folder = vscode.workspace.getWorkspaceFolder(target);
  const options = folder ? { cwd: folder.uri.fsPath } : {};
  const name = `${verb} ${target.path.split("/").pop()}`;
  const task = new vscode.Task(
    { type: "grognard", verb },
    folder || vscode.TaskScope.Workspace,
    name,
    "grognard",
    new vscode.ProcessExecution(program, [verb, target.fsPath], options)
  );
  // exit code 1 reports findings, which the terminal shows
  task.presentationOptions = { panel: vscode.TaskPanelKind.Dedicated, clear: true };
  return vscode.tasks.executeTask(task);
}

/** Registers the commands and the lenses. Returns what must be disposed of. */
function register() {
  const provider = { provideCodeLenses: lenses };
  return [
    ...COMMANDS.map((one) => vscode.commands.registerCommand(one.command, (uri) => run(one.verb, uri))),
    vscode.languages.registerCodeLensProvider([{ pattern: "**/*.toml" }, { pattern: "**/*.rules" }], provider),
  ];
}

module.exports = { register, rulesLine, headerLine };
