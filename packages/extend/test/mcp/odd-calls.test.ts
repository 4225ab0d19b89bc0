/** Proves that answers, notices and requests which no server should send end every call and reach nobody they should not. */
import { afterEach, expect, test } from "vitest";
import { type Asked, type Script, scriptedServer, text, tool } from "./scripted-server.ts";
import { type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(async () => tried?.close());

const heard: Asked[] = [];
async function connected(script: Script, name = "odd"): Promise<Tried> {
  heard.length = 0;
  tried = tryServer(scriptedServer(name, script, heard));
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  return tried;
}

test("an answer under the same id as a text is the answer", async () => {
  const { call } = await connected({
    "tools/call": ({ id }, { send }) => send({ jsonrpc: "2.0", id: `${id}`, result: text("by a text") }),
  });
  expect((await call("act")).output).toContain("by a text");
});

test("a second answer to one call is passed over", async () => {
  const { call } = await connected({
    "tools/call"(_, { answer }) {
      answer(text("first"));
      answer(text("second"));
    },
  });
  expect((await call("act")).output).toContain("first");
  expect((await call("act")).output).toContain("first");
});

test.each([
  ["no content", {}],
  ["content that is no list", { content: "words" }],
  ["a list of nothing", { content: [null, 7] }],
  ["a text without a text", { content: [{ type: "text" }] }],
  ["no object", 7 as unknown as object],
])("a result with %s ends the call", async (_, result) => {
  const { call } = await connected({ "tools/call": (_asked, { answer }) => answer(result) });
  const { output } = await call("act");
  expect(output).toMatch(/invalid result|no output|not shown/);
});

test("a result of structured content alone, against its own schema, is shown as it is", async () => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const { call } = await connected({
    "tools/list": (_, { answer }) => answer({ tools: [tool("act", { outputSchema })] }),
    "tools/call": (_, { answer }) => answer({ content: [], structuredContent: { m: ["not", "declared"] } }),
  });
  expect((await call("act")).output).toContain('"declared"');
});

test("progress without end is shown in part, and the call has its result", async () => {
  const written: string[] = [];
  const { call } = await connected({
    "tools/call"({ params }, { send, answer }) {
      const meta = params?.["_meta"] as { progressToken: number };
      for (let at = 0; at < 50_000; at += 1)
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: meta.progressToken, progress: at, message: "x".repeat(100) },
        });
      setTimeout(() => answer(text("at last")));
    },
  });
  const sink = { write: (piece: string) => written.push(piece), text: () => "", dump: () => neverDumped() };
  expect((await call("act", {}, { sink: sink as never })).output).toContain("at last");
  expect(written.length).toBeLessThan(1_000);
  expect(written.length).toBeGreaterThan(0);
});

test("progress of a call that is over, or of nobody's, is passed over", async () => {
  const { call } = await connected({
    "tools/call"({ params }, { send, answer }) {
      const meta = params?.["_meta"] as { progressToken: number };
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "nobody", progress: 1 } });
      answer(text("over"));
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { ...meta, progress: 2 } });
    },
  });
  expect((await call("act")).output).toContain("over");
});

test("words of progress reach no terminal raw", async () => {
  const written: string[] = [];
  const { call } = await connected({
    "tools/call"({ params }, { send, answer }) {
      const meta = params?.["_meta"] as { progressToken: number };
      send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { ...meta, progress: 1, total: 2, message: "\u001b]0;title\u0007step\nforged line" },
      });
      setTimeout(() => answer(text("over")));
    },
  });
  const sink = { write: (piece: string) => written.push(piece), text: () => "", dump: () => neverDumped() };
  await call("act", {}, { sink: sink as never });
  expect(written).toEqual(["1 of 2: step forged line\n"]);
});

test("a server that ignores a cancellation is not waited for, and its late answer is nobody's", async () => {
  let late: () => void = () => undefined;
  const { call } = await connected({
    "tools/call"(_, { answer }) {
      late = () => answer(text("too late"));
    },
  });
  const stop = new AbortController();
  const calling = call("act", {}, { signal: stop.signal });
  await expect.poll(() => heard.some(({ method }) => method === "tools/call")).toBe(true);
  stop.abort();
  expect(await calling).toMatchObject({ isError: true, output: "act was interrupted." });
  await expect.poll(() => heard.some(({ method }) => method === "notifications/cancelled")).toBe(true);
  late();
  const again = call("act");
  await expect.poll(() => heard.filter(({ method }) => method === "tools/call").length).toBe(2);
  late();
  expect((await again).output).toContain("too late");
});

test.each(["sampling/createMessage", "roots/list", "nothing/like/this"])(
  "%s is refused, since kedge offers no such thing",
  async (method) => {
    const { call } = await connected({
      "tools/call"(_, { send, answer }) {
        send({ jsonrpc: "2.0", id: 900, method, params: { messages: [], maxTokens: 10 } });
        answer(text("over"));
      },
    });
    await call("act");
    await expect.poll(() => heard.find(({ id, method: asked }) => id === 900 && asked === undefined)).toBeDefined();
    const refusal = heard.find(({ id, method: asked }) => id === 900 && asked === undefined);
    expect(refusal?.error?.code).toBe(-32_601);
  },
);

test("a call that takes longer than its server may take ends with one sentence, and the server is told", async () => {
  heard.length = 0;
  const silent = scriptedServer("odd", { "tools/call": () => undefined }, heard);
  tried = tryServer({ ...silent, timeoutMs: 50 });
  await tried.live.connect();
  expect(await tried.call("act")).toMatchObject({
    isError: true,
    output: expect.stringMatching(/^act of the MCP server odd did not respond within \d+ s\.$/),
  });
  expect(heard.map(({ method }) => method)).toContain("notifications/cancelled");
});

test("a ping in the middle of a call is answered", async () => {
  const { call } = await connected({
    "tools/call"(_, { send, answer }) {
      send({ jsonrpc: "2.0", id: 901, method: "ping" });
      setTimeout(() => answer(text("over")));
    },
  });
  await call("act");
  expect(heard.find(({ id, method }) => id === 901 && method === undefined)?.result).toEqual({});
});

test("an error with a code of no kind and words of megabytes is one bounded sentence", async () => {
  const { call } = await connected({
    "tools/call": ({ id }, { send }) =>
      send({ jsonrpc: "2.0", id, error: { code: 1, message: "no ".repeat(1_000_000), data: { at: "/srv/app.js" } } }),
  });
  const { output, isError } = await call("act");
  expect([isError, output.length < 2_000, output.includes("/srv/app.js")]).toEqual([true, true, false]);
});

function neverDumped(): never {
  throw new Error("not used");
}
