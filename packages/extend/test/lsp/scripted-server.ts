/**
 * A language server that behaves as its first argument says. It finds one error for each `bad` in a text, at its place.
 * Its second argument is a file to which it appends a line for every start.
 */
import { appendFileSync } from "node:fs";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const [, , behaviour = "pull", log = "/dev/null"] = process.argv;
appendFileSync(log, `started ${process.pid}\n`);

type Document = { readonly uri: string; readonly version: number; readonly text: string };
const documents = new Map<string, Document>();
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

function publish({ uri, version, text }: Document, { isVersioned }: { readonly isVersioned: boolean }): void {
  const params = { uri, diagnostics: diagnosticsOf(text), ...(isVersioned && { version }) };
  void connection.sendNotification("textDocument/publishDiagnostics", params);
}

let earlier: Document | undefined;
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
      ...(behaviour.startsWith("push") ? {} : { diagnosticProvider: { interFileDependencies: false } }),
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
connection.onRequest("textDocument/diagnostic", ({ textDocument }) => ({
  kind: "full",
  items: diagnosticsOf(documents.get(textDocument.uri)?.text ?? ""),
}));
connection.onRequest("shutdown", () => null);
connection.onNotification("exit", () => process.exit(0));
connection.listen();
