/** Proves in a real terminal that whoever attaches without the right to approve is shown a request, and offered nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let server: ServerProcess | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await server?.stop();
  await bench?.close();
});

test("a screen that may not approve shows the request and offers no answer; it goes on when another gives one", async () => {
  const write = { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "a\n" } }] };
  bench = await openWorkbench([write, { text: "Done." }]);
  server = await startServerProcess(bench);
  const { client } = server;
  // Somebody who may is there as well; otherwise the server would say no at once.
  const stop = new AbortController();
  const asked = Promise.withResolvers<string>();
  const watching = (async () => {
    for await (const { type, properties } of client.follow({ signal: stop.signal })) {
      if (type === "permission.asked") asked.resolve(String(properties["requestId"]));
    }
  })();
  terminal = openTerminal(bench, ["attach"]);
  await terminal.shows("you can send prompts but not approve actions");
  terminal.type("Write it");
  terminal.press("Enter");
  const requestId = await asked.promise;
  const screen = await terminal.shows("View only: your token does not allow approvals.");
  expect(screen).toContain("waiting for someone else to approve");
  expect(screen).not.toMatch(/Allow once|allow once|for this session/);
  const [session] = await client.sessions({ limit: 1 });
  const answer = { type: "permission.answer", sessionId: session?.sessionId ?? "", requestId, reply: "once" } as const;
  expect(await client.send<"permission.answer">(answer)).toEqual({ ok: true, value: {} });
  await terminal.shows("Done.");
  expect(existsSync(join(bench.project, "a.txt"))).toBe(true);
  stop.abort();
  await watching;
});
