// Grognard in VS Code: starts `grognard lsp` and shows its answers. Only the server knows the rules language.
"use strict";

const vscode = require("vscode");
const { Client } = require("./lsp");
const scenario = require("./scenario");

const LANGUAGE = "grognard";
const RUN = "grognard.run";

let client = null;
let findings = null;
let legend = null;
const left = [];

const SELECTOR = [{ language: LANGUAGE }, { pattern: "**/*.toml" }];
const mine = (document) => document.languageId === LANGUAGE || document.uri.path.endsWith(".toml");
const uriOf = (document) => document.uri.toString();
const named = (document) => ({ textDocument: { uri: uriOf(document) } });
const place = (position) => ({ line: position.line, character: position.character });
const at = (document, position) => ({ ...named(document), position: place(position) });
const range = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
// kinds of the protocol are one more than those of VS Code
const kind = (n) => n - 1;

/** Sends a request to the server. A failed request, such as an outdated one, has the answer null. */
async function ask(method, params, token) {
  if (!client) return null;
  try {
    return await client.ask(method, params, token);
  } catch (error) {
    if (method.endsWith("ename")) throw error;
    return null;
  }
}

function hear(method, params) {
  if (method === "textDocument/publishDiagnostics") {
    findings.set(vscode.Uri.parse(params.uri), params.diagnostics.map(finding));
  } else if (method === "window/showMessage") {
    const show = params.type === 1 ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
    show(params.message, { modal: params.message.includes("\n") });
  }
}

function finding(d) {
  const found = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
  found.code = d.code;
  found.source = d.source;
  found.relatedInformation = (d.relatedInformation || []).map(
    (other) => new vscode.DiagnosticRelatedInformation(location(other.location), other.message)
  );
  return found;
}

function edits(of) {
  const all = new vscode.WorkspaceEdit();
  for (const file of of.documentChanges) {
    for (const edit of file.edits) all.replace(vscode.Uri.parse(file.textDocument.uri), range(edit.range), edit.newText);
  }
  return all;
}

function symbol(s) {
  const made = new vscode.DocumentSymbol(s.name, s.detail || "", kind(s.kind), range(s.range), range(s.selectionRange));
  made.children = (s.children || []).map(symbol);
  return made;
}

function lens(l) {
  const made = new vscode.CodeLens(range(l.range), l.command && { ...l.command, title: l.command.title });
  made.asked = l;
  return made;
}

const providers = () => [
  vscode.languages.registerHoverProvider(SELECTOR, {
    async provideHover(document, position, token) {
      const found = await ask("textDocument/hover", at(document, position), token);
      return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value), found.range && range(found.range));
    },
  }),
  vscode.languages.registerDefinitionProvider(SELECTOR, {
    async provideDefinition(document, position, token) {
      return ((await ask("textDocument/definition", at(document, position), token)) || []).map(location);
    },
  }),
  vscode.languages.registerReferenceProvider(SELECTOR, {
    async provideReferences(document, position, context, token) {
      const params = { ...at(document, position), context: { includeDeclaration: context.includeDeclaration } };
      return ((await ask("textDocument/references", params, token)) || []).map(location);
    },
  }),
  vscode.languages.registerDocumentHighlightProvider(SELECTOR, {
    async provideDocumentHighlights(document, position, token) {
      const found = (await ask("textDocument/documentHighlight", at(document, position), token)) || [];
      return found.map((h) => new vscode.DocumentHighlight(range(h.range)));
    },
  }),
  vscode.languages.registerRenameProvider(SELECTOR, {
    async prepareRename(document, position, token) {
      const found = await ask("textDocument/prepareRename", at(document, position), token);
      if (!found) throw new Error("there is no name here");
      return range(found);
    },
    async provideRenameEdits(document, position, newName, token) {
      const found = await ask("textDocument/rename", { ...at(document, position), newName }, token);
      return found && edits(found);
    },
  }),
  vscode.languages.registerCompletionItemProvider(
    SELECTOR,
    {
      async provideCompletionItems(document, position, token) {
        const found = (await ask("textDocument/completion", at(document, position), token)) || [];
        return found.map((c) => {
          const item = new vscode.CompletionItem(c.label, kind(c.kind));
          item.detail = c.detail;
          item.sortText = c.sortText;
          item.insertText = c.textEdit.newText;
          item.range = range(c.textEdit.range);
          return item;
        });
      },
    },
    "."
  ),
  vscode.languages.registerDocumentSymbolProvider(LANGUAGE, {
    async provideDocumentSymbols(document, token) {
      return ((await ask("textDocument/documentSymbol", named(document), token)) || []).map(symbol);
    },
  }),
  vscode.languages.registerWorkspaceSymbolProvider({
    async provideWorkspaceSymbols(query, token) {
      const found = (await ask("workspace/symbol", { query }, token)) || [];
      return found.map((s) => new vscode.SymbolInformation(s.name, kind(s.kind), s.containerName, location(s.location)));
    },
  }),
  vscode.languages.registerFoldingRangeProvider(LANGUAGE, {
    async provideFoldingRanges(document, context, token) {
      const found = (await ask("textDocument/foldingRange", named(document), token)) || [];
      return found.map((f) => new vscode.FoldingRange(f.startLine, f.endLine));
    },
  }),
  vscode.languages.registerDocumentFormattingEditProvider(LANGUAGE, {
    async provideDocumentFormattingEdits(document, options, token) {
      const params = { ...named(document), options: { tabSize: options.tabSize, insertSpaces: options.insertSpaces } };
      const found = (await ask("textDocument/formatting", params, token)) || [];
      return found.map((e) => vscode.TextEdit.replace(range(e.range), e.newText));
    },
  }),
  vscode.languages.registerCodeActionsProvider(LANGUAGE, {
    async provideCodeActions(document, selected, context, token) {
      const asked = { start: place(selected.start), end: place(selected.end) };
      const params = { ...named(document), range: asked, context: { diagnostics: [] } };
      const found = (await ask("textDocument/codeAction", params, token)) || [];
      return found.map((a) => {
        const action = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
        action.edit = edits(a.edit);
        action.diagnostics = a.diagnostics.map(finding);
        action.isPreferred = a.isPreferred;
        return action;
      });
    },
  }),
  vscode.languages.registerCodeLensProvider(LANGUAGE, {
    async provideCodeLenses(document, token) {
      return ((await ask("textDocument/codeLens", named(document), token)) || []).map(lens);
    },
    async resolveCodeLens(found, token) {
      const answer = await ask("codeLens/resolve", found.asked, token);
      return answer ? lens(answer) : found;
    },
  }),
  vscode.languages.registerDocumentSemanticTokensProvider(
    LANGUAGE,
    {
      async provideDocumentSemanticTokens(document, token) {
        const found = await ask("textDocument/semanticTokens/full", named(document), token);
        return found && new vscode.SemanticTokens(new Uint32Array(found.data));
      },
    },
    new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)
  ),
  vscode.commands.registerCommand(RUN, (...args) => ask("workspace/executeCommand", { command: RUN, arguments: args })),
];

function open(document) {
  if (!client || !mine(document)) return;
  const { version } = document;
  const text = document.getText();
  client.tell("textDocument/didOpen", {
    textDocument: { uri: uriOf(document), languageId: LANGUAGE, version, text },
  });
}

const listeners = () => [
  vscode.workspace.onDidOpenTextDocument(open),
  vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (!client || !mine(document) || !contentChanges.length) return;
    client.tell("textDocument/didChange", {
      textDocument: { uri: uriOf(document), version: document.version },
      contentChanges: contentChanges.map((c) => ({
        range: { start: place(c.range.start), end: place(c.range.end) },
        text: c.text,
      })),
    });
  }),
  vscode.workspace.onDidCloseTextDocument((document) => {
    if (client && mine(document)) client.tell("textDocument/didClose", named(document));
  }),
  ...["**/*.rules", "**/*.toml"].map((pattern) => {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const say = (type) => (uri) => {
      if (client) client.tell("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type }] });
    };
    watcher.onDidCreate(say(1));
    watcher.onDidChange(say(2));
    watcher.onDidDelete(say(3));
    return watcher;
  }),
];

async function start() {
  const program = vscode.workspace.getConfiguration("grognard").get("path") || "grognard";
  const started = new Client(program, ["lsp"], hear, (why) => {
    const message = `\`${program} lsp\` cannot be used: ${why}. Set \`grognard.path\` to the path of the program.`;
    vscode.window.showErrorMessage(message);
    client = null;
  });
  const answer = await started.ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  legend = answer.capabilities.semanticTokensProvider.legend;
  started.tell("initialized", {});
  client = started;
  left.push(...providers(), ...listeners());
  vscode.workspace.textDocuments.forEach(open);
}

async function stop() {
  left.splice(0).forEach((one) => one.dispose());
  findings.clear();
  const running = client;
  client = null;
  if (running) await running.end();
}

async function activate(context) {
  findings = vscode.languages.createDiagnosticCollection(LANGUAGE);
  const restart = () => stop().then(start);
  context.subscriptions.push(findings, vscode.commands.registerCommand("grognard.restart", restart));
  context.subscriptions.push(...scenario.register());
  // if the program cannot be started, the client has shown a message
  await start().catch(() => {});
}

module.exports = { activate, deactivate: stop };
