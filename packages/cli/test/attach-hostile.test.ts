/** Proves in a real terminal that a server which sends wrong types costs a sentence, and not the screen. */
import { once } from "node:events";
import { createServer, type Server, request as startRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let server: ServerProcess | undefined;
let terminal: Terminal | undefined;
let between: Server | undefined;
afterEach(async () => {
  await terminal?.close();
  between?.closeAllConnections();
  between?.close();
  await server?.stop();
  await bench?.close();
});

/** Passes everything on, but for the answers to these paths. */
async function startBetween(target: URL, answers: { readonly [path: string]: unknown }): Promise<string> {
  between = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? "/", target);
    if (Object.hasOwn(answers, pathname)) {
      outgoing.setHeader("content-type", "application/json");
      return void outgoing.end(JSON.stringify(answers[pathname]));
    }
    const { method, headers, url: path } = incoming;
    const passed = startRequest(
      { host: target.hostname, port: target.port, path, method, headers: { ...headers, host: target.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    return void incoming.pipe(passed);
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  // A server that listens on TCP has such an address.
  return `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
}

test("dialogs whose answers have wrong types say so in a sentence, and the screen lives on", async () => {
  bench = await openWorkbench([{ text: "Still here." }]);
  server = await startServerProcess(bench);
  const url = await startBetween(new URL(server.url), {
    "/provider": { providers: [{ providerId: 1, name: null, hasKey: "yes", models: 7 }] },
    "/permission/rule": { rules: [null, 3] },
    "/task": { tasks: "none" },
    "/vcs": { files: { length: 3 } },
  });
  terminal = openTerminal(bench, ["attach", url, "--token", server.token]);
  await terminal.shows("mock/mock-model");
  for (const [command, path] of [
    ["/model", "/provider"],
    ["/permissions", "/permission/rule"],
  ] as const) {
    terminal.type(command);
    terminal.press("Enter");
    await terminal.shows(`sent for GET ${path} `);
    terminal.press("C-c");
  }
  terminal.type("Hi");
  terminal.press("Enter");
  expect(await terminal.shows("Still here.")).toContain("Still here.");
});
