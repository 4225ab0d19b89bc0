/**
 * A language server that behaves as its first argument says. It finds one error for each `bad` in a text, at its place.
 * Its second argument is a file to which it appends a line for every start.
 */
import { appendFileSync } from "node:fs";
import { createMessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const [, , behaviour = "pull", log = "/dev/null"] = process.argv;
appendFileSync(log, `started ${process.pid}\n`);
if (behaviour === "chatty") process.stdout.write("Scripted server 1.2.3 is starting…\n");

type Document = { readonly uri: string; readonly version: number; readonly text: string };
const documents = new Map<string, Document>();
const said = new Set<number>();
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

function diagnosticsOf(text: string) {
  return text.split("\n").flatMap((content, line) =>
    [...content.matchAll(/bad/g)].map(({ index }) => ({
      range: { start: { line, character: index }, end: { line, character: index + 3 } },
      message: `bad\nword in ${JSON.stringify(content)}`,
      severity: 1,
      source: "scripted",
    })),
  );
}

/** The same places, counted in bytes of UTF-8. */
function inBytes(found: ReturnType<typeof diagnosticsOf>, text: string): ReturnType<typeof diagnosticsOf> {
  const bytes = ({ line, character }: { line: number; character: number }) => ({
    ...{ line, character: Buffer.byteLength((text.split("\n")[line] ?? "").slice(0, character)) },
  });
  return found.map((each) => ({ ...each, range: { start: bytes(each.range.start), end: bytes(each.range.end) } }));
}

function publish({ uri, version, text }: Document, { isVersioned }: { readonly isVersioned: boolean }): void {
  const params = { uri, diagnostics: diagnosticsOf(text), ...(isVersioned && { version }) };
  void connection.sendNotification("textDocument/publishDiagnostics", params);
}

/** What no server should say of a text. */
const oddItems: readonly unknown[] = [
  null,
  "words",
  {},
  { message: "no range" },
  { range: null, message: "an empty range" },
  { range: { start: { line: "1", character: null } }, message: "a range of texts" },
  { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } } },
  {
    range: { start: { line: -5, character: 1e21 }, end: { line: 0, character: 1 } },
    message: "far away",
    severity: 99,
  },
  {
    range: { start: { line: 0, character: 2 }, end: { line: 0, character: 1 } },
    message: { kind: "markdown", value: "\u001b[31mred" },
    code: { value: 7 },
    severity: 1,
  },
];

let earlier: Document | undefined;
let pulls = 0;
function changed(document: Document): void {
  documents.set(document.uri, document);
  switch (behaviour) {
    case "push":
      publish(document, { isVersioned: true });
      break;
    case "push-late-and-stale":
      // The version before comes again first, as from a server that is still at work on it.
      if (earlier !== undefined) publish(earlier, { isVersioned: true });
      setTimeout(() => publish(document, { isVersioned: true }), 100);
      break;
    case "push-unversioned-and-stale":
      if (earlier !== undefined) publish(earlier, { isVersioned: false });
      setTimeout(() => publish(document, { isVersioned: false }), 400);
      break;
    case "push-unversioned":
      setTimeout(() => publish(document, { isVersioned: false }), 100);
      break;
    case "push-odd":
      void connection.sendNotification("textDocument/publishDiagnostics", {
        ...{ uri: document.uri, version: document.version, diagnostics: oddItems },
      });
      break;
    case "push-once-per-version":
      // One that answers for a version it was told before would be believed, if versions began anew.
      if (!said.has(document.version)) publish(document, { isVersioned: true });
      said.add(document.version);
      break;
    case "push-behind-pull":
    case "push-registers-and-leaves":
      publish(document, { isVersioned: true });
      break;
    case "crash-on-bad":
      if (document.text.includes("bad")) process.exit(3);
      break;
  }
  earlier = document;
}

connection.onRequest("initialize", () => {
  if (behaviour === "never-answers") return new Promise(() => undefined);
  return {
    capabilities: {
      textDocumentSync: 1,
      ...(behaviour === "utf-8" && { positionEncoding: "utf-8" }),
      hoverProvider: true,
      renameProvider: true,
      definitionProvider: true,
      ...(behaviour.startsWith("push") && behaviour !== "push-behind-pull"
        ? {}
        : { diagnosticProvider: { interFileDependencies: false } }),
      ...(behaviour === "late-pull" && { diagnosticProvider: undefined }),
    },
    serverInfo: { name: "scripted", version: "1.2.3" },
  };
});
connection.onNotification("initialized", async () => {
  if (behaviour === "late-pull") {
    const registrations = [{ id: "d", method: "textDocument/diagnostic", registerOptions: { documentSelector: null } }];
    await connection.sendRequest("client/registerCapability", { registrations });
  }
  if (behaviour === "asks") {
    const asked = async (method: string, params: object) => {
      const answer = await connection.sendRequest(method, params).catch((error) => error);
      const told = answer instanceof ResponseError ? answer.code : answer;
      appendFileSync(log, `${method} ${JSON.stringify(told)}\n`);
    };
    await asked("workspace/configuration", { items: [{ section: "a.b" }, {}, { section: "__proto__" }] });
    await asked("workspace/configuration", {});
    await asked("client/registerCapability", { registrations: "none" });
    await asked("client/unregisterCapability", {});
    await asked("window/showMessageRequest", { type: 1, message: "Install it?", actions: [{ title: "Yes" }] });
    await asked("window/showDocument", { uri: "https://example.com", external: true });
    await asked("workspace/codeLens/refresh", {});
    await asked("nobody/knows/this", {});
    await asked("workspace/executeCommand", { command: "rm" });
  }
  if (behaviour === "push-registers-and-leaves") {
    const registrations = [{ id: "d", method: "textDocument/diagnostic" }];
    await connection.sendRequest("client/registerCapability", { registrations });
    await connection.sendRequest("client/unregisterCapability", { unregisterations: registrations });
  }
  if (behaviour === "writes") {
    const edit = { changes: { "file:///etc/passwd": [] } };
    appendFileSync(log, `${JSON.stringify(await connection.sendRequest("workspace/applyEdit", { edit }))}\n`);
  }
});
connection.onNotification("textDocument/didOpen", ({ textDocument }) => changed(textDocument));
connection.onNotification("textDocument/didChange", ({ textDocument, contentChanges }) =>
  changed({ ...textDocument, text: contentChanges[0].text }),
);
connection.onNotification("textDocument/didClose", ({ textDocument }) => void documents.delete(textDocument.uri));
connection.onRequest("textDocument/diagnostic", ({ textDocument }): object => {
  pulls += 1;
  if (behaviour === "push-behind-pull") throw new ResponseError(-32_601, "Unhandled method textDocument/diagnostic");
  if (behaviour === "odd-items") return { kind: "full", items: oddItems };
  if (behaviour === "no-items") return { kind: "full" };
  // Nobody named a result that this could be unchanged from.
  if (behaviour === "unchanged" && pulls > 1) return { kind: "unchanged", resultId: "1" };
  const text = documents.get(textDocument.uri)?.text ?? "";
  return { kind: "full", items: behaviour === "utf-8" ? inBytes(diagnosticsOf(text), text) : diagnosticsOf(text) };
});
connection.onRequest("textDocument/hover", ({ position }) => ({ contents: `at ${position.character}` }));
connection.onRequest("textDocument/definition", ({ textDocument, position }) => ({
  uri: textDocument.uri,
  range: { start: position, end: position },
}));
connection.onRequest("textDocument/rename", ({ textDocument, newName }) => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const other = textDocument.uri.replace(/[^/]*$/, "other%20file.txt");
  return {
    changes: { [other]: [{ range, newText: newName }] },
    documentChanges: [
      { textDocument: { uri: textDocument.uri, version: null }, edits: [{ range, newText: newName }] },
      { kind: "rename", oldUri: textDocument.uri, newUri: other },
      { kind: "delete", uri: "file:///etc/passwd" },
    ],
  };
});
connection.onRequest("shutdown", () => null);
connection.onNotification("exit", () => process.exit(0));
connection.listen();
