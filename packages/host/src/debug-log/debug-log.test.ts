/** Proves the debug log: nothing without a wish, one line per event by area, no secrets, a limited size, gone with the session. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event, Fact, Signal } from "@kedge/protocol";
import { noUsage } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDebugLog, type DebugLogParts, removeDebugLog } from "./debug-log.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-debug-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function open(wish: string | undefined, parts: Partial<DebugLogParts> = {}) {
  const listeners = new Set<(sessionId: string, event: Event) => void>();
  const redact = (text: string) => text.replaceAll("hunter2", "[REDACTED]");
  const log = createDebugLog({ home, now: () => 0, redact, wish, ...parts });
  log.follow({
    subscribeAll(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const tell = (event: Event) => {
    for (const listener of listeners) listener("ses_1", event);
  };
  return {
    log,
    listeners,
    fact: (fact: Fact) => tell({ kind: "fact", record: { seq: 1, time: 0, fact } as never }),
    signal: (signal: Signal) => tell({ kind: "signal", signal }),
    text: () => (existsSync(log.pathOf("ses_1")) ? readFileSync(log.pathOf("ses_1"), "utf8") : ""),
  };
}

const failure = {
  code: "rate_limit",
  status: 429,
  message: "Too many\nrequests for hunter2.",
  retryable: true,
} as const;
const retrying = {
  type: "step.retrying",
  sessionId: "ses_1",
  stepId: "s",
  attempt: 1,
  delayMs: 5,
  until: 5,
  failure,
} as const;
const ended: Fact = {
  type: "step.ended",
  stepId: "s",
  outcome: "answered",
  content: [{ type: "text", text: "a secret answer" }],
  usage: { ...noUsage, input: 7 },
  cost: { usd: 0, estimated: false },
  durationMs: 12,
  cacheBreak: { cause: "the system prompt changed", tokensLost: 90, usd: 0.1 },
};

test("each event is one line with its area, without secrets and without what was said", () => {
  const { fact, signal, text, log } = open("1");
  fact(ended);
  signal(retrying);
  signal({ type: "text.delta", sessionId: "ses_1", stepId: "s", text: "a" });
  signal({ type: "mcp.status", sessionId: "ses_1", server: "db", state: "failed", reason: "exit 1" });
  signal({ type: "notice", sessionId: "ses_1", text: "The hook check.sh failed: exit 3." });
  fact({ type: "memory.quarantined", path: "/m/x.md", why: "w" });
  expect(text().split("\n")).toEqual([
    "1970-01-01T00:00:00.000Z [api] answered in 12 ms, input 7, output 0, cache read 0, cache write 0",
    "1970-01-01T00:00:00.000Z [cache] 90 tokens lost: the system prompt changed",
    "1970-01-01T00:00:00.000Z [retry] attempt 1 failed, again in 5 ms: rate_limit (429): Too many requests for [REDACTED].",
    "1970-01-01T00:00:00.000Z [mcp] db failed: exit 1",
    "1970-01-01T00:00:00.000Z [hooks] The hook check.sh failed: exit 3.",
    "1970-01-01T00:00:00.000Z [memory] memory.quarantined",
    "",
  ]);
  expect(statSync(log.pathOf("ses_1")).mode & 0o777).toBe(0o600);
  removeDebugLog(home, "ses_1");
  expect(text()).toBe("");
});

test("only the named areas are written, and nothing without a wish", () => {
  const some = open("retry,mcp");
  some.fact(ended);
  some.signal(retrying);
  expect(some.text()).toContain("[retry]");
  expect(some.text()).not.toContain("[api]");
  for (const wish of [undefined, "", "0"]) expect(open(wish).listeners.size).toBe(0);
});

test("it is turned on and off in a session", () => {
  const { log, signal, listeners, text } = open(undefined);
  signal(retrying);
  log.turn(true);
  signal(retrying);
  log.turn(false);
  signal(retrying);
  expect(text().match(/\[retry\]/g)).toHaveLength(1);
  expect([log.isOn(), listeners.size]).toEqual([false, 0]);
});

test("beyond its limit the older half goes, at a line", () => {
  const { signal, log, text } = open("1", { bytesMax: 1_000 });
  for (let number = 0; number < 100; number++) {
    signal({ type: "notice", sessionId: "ses_1", text: `notice ${number}` });
    expect(statSync(log.pathOf("ses_1")).size).toBeLessThanOrEqual(1_000);
  }
  expect(text()).toMatch(/^1970-\S+ \[notice\] notice \d+\n/);
  expect(text()).toMatch(/notice 99\n$/);
});

test("a name that is no session's stays inside the folder", () => {
  expect(open("1").log.pathOf("../../x")).toBe(join(home, "log", "debug", "______x.txt"));
});
