/** Proves that processes which are refused together renew a sign-in once, and all go on with the new token. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openAuthorizationServer } from "@kedge/testing";
import { expect, test } from "vitest";
import { beginSignIn } from "../../src/mcp-sign-in/begin-sign-in.ts";

const processes = 4;

test("four processes, one renewal", async () => {
  const home = mkdtempSync(join(tmpdir(), "kedge-renewals-"));
  await using site = await openAuthorizationServer(Date.now);
  const { serverUrl: url } = site;
  try {
    const server = { name: "tracker", scope: "user", file: "test", signature: "" } as const;
    const { text = "", over } = await beginSignIn(
      { ...server, transport: { type: "http", url, headers: {} } },
      { home, environment: { KEDGE_KEYRING: "off" }, now: Date.now, signal: new AbortController().signal },
    );
    await (await fetch(/http:\/\/\S+/.exec(text)?.[0] ?? "")).text();
    expect((await over).ok).toBe(true);
    const started = Array.from({ length: processes }, () => start(home, url));
    const lines = started.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    const next = async () => Promise.all(lines.map(async (each) => (await each.next()).value));
    expect(await next()).toEqual(Array(processes).fill("ready"));
    site.rejectTokens();
    for (const child of started) child.stdin.write("go\n");
    expect(await next()).toEqual(Array(processes).fill("200"));
    expect(site.requests.filter((request) => request === "POST /token refresh_token")).toHaveLength(1);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

function start(home: string, url: string): ChildProcessWithoutNullStreams {
  const script = join(import.meta.dirname, "calling-process.ts");
  const child = spawn(process.execPath, [script, home, url]);
  child.stderr.pipe(process.stderr);
  return child;
}
