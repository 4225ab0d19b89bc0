/** Proves what only a kedge in process has: tools of the program, a query with a kedge of its own, and its start and end. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProgramTool, type QueryMessage, query } from "../../src/sdk/index.ts";
import { asked, converse, newSession, sent } from "./conversation-steps.ts";
import { openLocal, openSdkBench, type SdkBench } from "./sdk-bench.ts";

let bench: SdkBench;

beforeAll(async () => {
  bench = await openSdkBench();
});
afterAll(() => bench.close());

const weather: ProgramTool = {
  name: "weather",
  description: "Tells the weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  isReadOnly: true,
  run: async ({ city }) => `It rains in ${city}.`,
};

const launch: ProgramTool = {
  name: "launch",
  description: "Launches something.",
  inputSchema: { type: "object", properties: {} },
  run() {
    throw new Error("The pad is wet.");
  },
};

async function outputs(messages: AsyncIterable<QueryMessage>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for await (const message of messages) {
    if (message.type === "tool-ended") seen.push([message.tool, message.outcome, message.output]);
  }
  return seen;
}

test("a tool of the program is called; one that only looks needs no answer, and what it throws is told", async () => {
  const kedge = await openLocal(bench, { tools: [weather, launch] });
  const { client } = kedge;
  try {
    const questions: string[] = [];
    const canUseTool = ({ permission }: { readonly permission: string }) => {
      questions.push(permission);
      return { behavior: "allow" } as const;
    };
    expect(await outputs(query('call weather {"city":"Bern"}', { client, canUseTool }))).toEqual([
      ["weather", "completed", "It rains in Bern."],
    ]);
    expect(await outputs(query('call weather {"town":"Bern"}', { client, canUseTool }))).toEqual([
      ["weather", "failed", expect.stringContaining("city")],
    ]);
    expect(questions).toEqual([]);
    expect(await outputs(query("call launch", { client, canUseTool }))).toEqual([
      ["launch", "failed", "The pad is wet."],
    ]);
    expect(questions).toEqual(["launch"]);
  } finally {
    await kedge.close();
  }
});

test("an interruption reaches a tool that waits", async () => {
  const stop = new AbortController();
  const ended = Promise.withResolvers<string>();
  const wait: ProgramTool = {
    ...weather,
    name: "wait",
    inputSchema: { type: "object" },
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          ended.resolve("aborted");
          reject(signal.reason);
        });
        stop.abort();
      }),
  };
  const kedge = await openLocal(bench, { tools: [wait] });
  try {
    const reasons: string[] = [];
    for await (const message of query("call wait", { client: kedge.client, signal: stop.signal })) {
      if (message.type === "result") reasons.push(message.reason);
    }
    expect([await ended.promise, reasons]).toEqual(["aborted", ["aborted"]]);
  } finally {
    await kedge.close();
  }
});

test.each([
  ["bash", [{ ...weather, name: "bash" }], "bash is the name of a built-in tool."],
  ["a word with a space", [{ ...weather, name: "my tool" }], '"my tool" is not a valid tool name'],
  ["the same name twice", [weather, weather], "Two tools are named weather."],
])("a tool cannot be called %s", async (_, tools, message) => {
  await expect(openLocal(bench, { tools })).rejects.toMatchObject({
    failure: { code: "configuration", message: expect.stringContaining(message) },
  });
});

test("a query can have a kedge of its own, with tools", async () => {
  const { project: directory, environment } = bench;
  expect(await outputs(query('call weather {"city":"Rome"}', { directory, environment, tools: [weather] }))).toEqual([
    ["weather", "completed", "It rains in Rome."],
  ]);
});

test("a session of an earlier kedge is taken up when it is needed, and closed before it is deleted", async () => {
  const first = await openLocal(bench);
  const sessionId = await newSession(first.client);
  await converse(first.client, sessionId, "remember me");
  await Promise.all([first.close(), first.close()]);
  const second = await openLocal(bench);
  try {
    const { ended } = await converse(second.client, sessionId, "again");
    expect(ended.text).toBe("You said: again");
    await sent(second.client, { type: "session.delete", sessionId });
    await expect(asked(second.client, { type: "session.read", sessionId })).rejects.toThrow(sessionId);
  } finally {
    await second.close();
  }
});

test("what keeps it from starting is a failure, and notices go to the program", async () => {
  await expect(openLocal(bench, { directory: join(bench.directory, "nowhere") })).rejects.toMatchObject({
    failure: { message: expect.stringContaining("nowhere") },
  });
  const broken = join(bench.directory, "broken.json");
  writeFileSync(broken, "{ this is no JSON");
  await expect(openLocal(bench, { settings: [broken] })).rejects.toMatchObject({ failure: { code: "configuration" } });
  const odd = join(bench.directory, "odd.json");
  writeFileSync(odd, JSON.stringify({ noSuchSetting: true }));
  const notices: string[] = [];
  const kedge = await openLocal(bench, { settings: [odd], onNotice: (notice) => notices.push(notice) });
  await kedge.close();
  expect(notices.join("\n")).toContain("noSuchSetting");
  expect(existsSync(join(bench.project, ".kedge"))).toBe(false);
});
