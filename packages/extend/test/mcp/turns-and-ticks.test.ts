/** Proves how many servers connect at a time, what an editor offers, and that a long call says that it still runs. */
import { afterEach, expect, test, vi } from "vitest";
import { readServer } from "../../src/mcp/configuration/read-server.ts";
import { createTurnstile } from "../../src/mcp/connection/turnstile.ts";
import { createServerHub, type McpServer } from "../../src/mcp/index.ts";
import { type Script, scriptedServer, text, tool } from "./scripted-server.ts";
import { hubPartsOf, type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await tried?.close();
  tried = undefined;
});

test("seven local servers connect three at a time, and all of them in the end", async () => {
  const ends: (() => void)[] = [];
  const script: Script = {
    initialize(_, { answer }) {
      const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };
      ends.push(() => answer(result));
    },
  };
  const servers = Array.from({ length: 7 }, (_, at) => scriptedServer(`s${at}`, script));
  const hub = createServerHub(servers, hubPartsOf({}));
  const all = Promise.all(hub.servers().map(({ live }) => live.connect()));
  const seen: number[] = [];
  for (let done = 0; done < 7; done += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(done);
    seen.push(ends.length - done);
    ends[done]?.();
  }
  await all;
  expect(Math.max(...seen)).toBeLessThanOrEqual(3);
  expect(hub.servers().map(({ live }) => live.state().state)).toEqual(Array(7).fill("connected"));
  hub.close();
});

test("a turn that fails is given on", async () => {
  const turn = createTurnstile(1);
  const order: string[] = [];
  const first = turn(async () => Promise.reject(new Error("no")));
  const second = turn(async () => order.push("second"));
  await expect(first).rejects.toThrow("no");
  await second;
  expect(order).toEqual(["second"]);
});

test("of an editor exactly the two tools are used that are meant for agents", async () => {
  const server: McpServer = {
    ...scriptedServer("ide", {
      "tools/list": (_, { answer }) =>
        answer({ tools: ["openDiff", "getDiagnostics", "close_tab", "executeCode"].map((name) => tool(name)) }),
    }),
    isIde: true,
  };
  tried = tryServer(server);
  await tried.live.connect();
  expect(tried.tools.tools().map(({ name }) => name)).toEqual(["mcp__ide__getDiagnostics", "mcp__ide__executeCode"]);
});

test.each(["sse-ide", "ws-ide"])("the type %s is an editor", (type) => {
  const url = type === "ws-ide" ? "ws://127.0.0.1:1" : "http://127.0.0.1:1";
  const origin = { scope: "user", file: "f", variable: () => undefined } as const;
  expect(readServer("ide", { type, url }, origin)).toMatchObject({ ok: true, server: { isIde: true } });
});

test("a call that takes minutes says every thirty seconds that it still runs", async () => {
  let finish: (() => void) | undefined;
  tried = tryServer(
    scriptedServer("slow", {
      "tools/call"(_, { answer }) {
        finish = () => answer(text("done"));
      },
    }),
  );
  await tried.live.connect();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const written: string[] = [];
  const sink = { write: (piece: string) => written.push(piece) };
  const calling = tried.call("act", {}, { sink: sink as never });
  vi.advanceTimersByTime(61_000);
  expect(written).toEqual(["still running, 30 s\n", "still running, 60 s\n"]);
  vi.useRealTimers();
  await expect.poll(() => finish).toBeDefined();
  finish?.();
  expect((await calling).output).toContain("done");
});
