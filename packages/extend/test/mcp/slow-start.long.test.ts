/** Proves that a server which never answers is given up after thirty seconds, which is how long it takes. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { stdioServer, type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(() => tried?.close());

test("one that never answers has failed after thirty seconds, and a call of its tools says so", {
  timeout: 120_000,
}, async () => {
  tried = tryServer(stdioServer("mute", [join(import.meta.dirname, "clumsy-server.mjs"), "never answers"]));
  const source = tried.tools.source.open({ sessionId: "s" });
  await source.settled?.();
  expect(tried.live.state()).toEqual({ state: "failed", error: "it did not respond within 30 s" });
  expect(source.whyMissing?.("mcp__mute__fine")).toContain("it did not respond within 30 s");
});
