/** The real program with little room in the heap of its runtime: one sentence where possible, and a store that stays whole. */
import type { MockRequest, MockTurn } from "@kedge/testing";
import { openScreenTerminal } from "@kedge/testing/screen-terminal";
import { expect, onTestFinished, test } from "vitest";
import { entry, expectAllClosed, openStore, storedSession } from "../crash/crash-bench.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { newSession, type ScarceServer, serve } from "./scarce-server.ts";

const waitMs = 60_000;
const deltaCharacters = 65_536;
const millions = (count: number): MockTurn => ({ text: "word ".repeat(count * 200_000), deltaCharacters });
const heapOf = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });

/** Nothing is compacted, because everything fits. */
async function open(script: (request: MockRequest) => MockTurn): Promise<Workbench> {
  const bench = await openWorkbench(script, {}, { context: 1_000_000_000, output: 1_000_000_000 });
  onTestFinished(() => bench.close());
  return bench;
}

function says(text: string, { body }: MockRequest): boolean {
  return JSON.stringify(body.messages?.findLast(({ role }) => role === "user")).includes(text);
}

/** How the only run of a new session ended, and what was told meanwhile. */
async function runOf(server: ScarceServer, text: string) {
  const { client } = server;
  const sessionId = await newSession(server);
  const events = client.events(sessionId, 0, AbortSignal.timeout(waitMs), { deltas: false });
  const notices: string[] = [];
  const follow = async (): Promise<string | undefined> => {
    for await (const event of events) {
      if (event.kind === "signal" && event.signal.type === "notice") notices.push(event.signal.text);
      if (event.kind === "fact" && event.record.fact.type === "run.ended") return event.record.fact.reason;
    }
    return undefined;
  };
  const ending = follow();
  await client.send<"prompt.submit">({
    ...{ type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} },
  });
  return { sessionId, reason: await ending, notices };
}

test("a server whose heap is nearly full interrupts the run with a sentence, and other sessions go on", async () => {
  const bench = await open((request) => (says("much", request) ? millions(4) : { text: "short" }));
  const server = await serve(bench, 'exec "$@"', { environment: heapOf(120) });
  const full: string[] = [];
  let last = await runOf(server, "much");
  while (last.reason === "completed" && full.length < 50) {
    full.push(last.sessionId);
    last = await runOf(server, "much");
  }
  expect(last.reason).toBe("aborted");
  expect(last.notices.join()).toMatch(/^Out of memory: \d+ of 120 MB in use\. The run was interrupted\./);
  for (const sessionId of [...full, last.sessionId]) {
    expect(await server.client.send<"session.close">({ type: "session.close", sessionId })).toMatchObject({ ok: true });
  }
  expect(await runOf(server, "go")).toMatchObject({ reason: "completed", notices: [] });
  expect(server.child.exitCode).toBeNull();
  expect(server.complaint()).toBe("");
});

test("a headless run whose heap is full at once leaves a store that holds, and the next start continues", async () => {
  const bench = await open((request) => (says("much", request) ? millions(24) : { text: "short" }));
  const ended = await bench.run(["-p", "much"], { environment: heapOf(32) });
  // V8 ends the process; nothing of ours can say anything then.
  expect(ended).toMatchObject({ code: null, stdout: "" });
  expect(await bench.run(["-p", "go on", "--continue"])).toMatchObject({ code: 0, stdout: "short\n" });
  const store = openStore(bench.home);
  const stored = await storedSession(store, bench.project);
  await store.close();
  if (stored === undefined) throw new Error("nothing was stored");
  expectAllClosed(stored);
  const reasons = stored.records.flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.reason] : []));
  expect(reasons).toEqual(["aborted", "completed"]);
});

/** Tells the settings of the terminal before and after, and how the program ended. */
const witness = 'echo "before $(stty -g)"; "$@"; echo "ended with $?"; echo "after $(stty -g)"; echo over; read line';

test("an engine whose heap is full ends in a sentence, and the terminal is as before", async () => {
  const bench = await open(() => millions(40));
  expect(await bench.run(["-p", "much"])).toMatchObject({ code: 0 });
  const terminal = await openScreenTerminal({
    ...{ command: "sh", arguments: ["-c", witness, "sh", process.execPath, entry, "--continue"], cwd: bench.project },
    columns: 110,
    environment: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: bench.directory, KEDGE_HOME: bench.home, KEDGE_KEYRING: "off" },
      ...{ TERM: "xterm-256color", ...heapOf(40) },
    },
  });
  onTestFinished(() => terminal.close());
  const screen = await terminal.shows(/^over$/m, waitMs);
  const told = (word: string) => screen.find((row) => row.startsWith(word))?.slice(word.length);
  expect(screen.join(" ")).toContain("The engine ran out of memory.");
  expect(told("ended with ")).toBe("1");
  expect(told("after "), "the settings of the terminal").toBe(told("before "));
  expect(terminal.state()).toMatchObject({ isAlternateScreen: false, isMouseTaken: false, cursor: { isShown: true } });
});
