/** Proves what is kept of diagnostics that a server pushes: those of files that are open, and no others. */
import { expect, test } from "vitest";
import { createFreshDiagnostics } from "../../src/lsp/client/fresh-diagnostics.ts";
import type { StartedServer } from "../../src/lsp/client/start-server.ts";

function pushingServer() {
  let push: (params: unknown) => void = () => undefined;
  const server: Partial<StartedServer> = {
    ...{ capabilities: {}, encoding: "utf-16", registrations: () => [], onRegistration: () => undefined },
    request: async () => Promise.reject(new Error("not known")),
    onNotification(method, hear) {
      if (method === "textDocument/publishDiagnostics") push = hear;
    },
  };
  return { server: server as StartedServer, push: (params: unknown) => push(params) };
}

const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

test("two hundred megabytes about files that nobody opened are not kept", async () => {
  const { server, push } = pushingServer();
  const fresh = createFreshDiagnostics(server, { languages: [], isOpen: (uri) => uri === "file:///a" });
  const before = process.memoryUsage().heapUsed;
  for (let file = 0; file < 2_000; file += 1) {
    // Joined so that every text has memory of its own.
    const message = Array.from({ length: 100 }, (_, part) => `${file} ${part} ${"x".repeat(1_000)}`).join("");
    push({ uri: `file:///elsewhere/${file}`, version: 1, diagnostics: [{ range: at, message }] });
  }
  expect((process.memoryUsage().heapUsed - before) / 1_048_576).toBeLessThan(120);
  push({ uri: "file:///a", version: 7, diagnostics: [{ range: at, message: "here" }] });
  const document = { uri: "file:///a", version: 7, text: "a", isFirst: true };
  expect(await fresh.of(document, AbortSignal.timeout(3_000))).toMatchObject([{ message: "here", severity: 1 }]);
});
