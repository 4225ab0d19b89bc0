/** A server without authentication: only on this machine, never unsaid, and not where a policy forbids it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { loadConfiguration } from "@kedge/host";
import { FailureError } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { openSite, type ServerSite } from "../http/server-site.ts";

let site: ServerSite | undefined;

afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function failureOf(serve: NonNullable<Parameters<typeof openSite>[0]>["serve"]): Promise<string> {
  const opened = openSite({ serve: serve ?? {} });
  return opened.then(
    async (unwanted) => {
      await unwanted.close();
      return "it started";
    },
    (error: unknown) =>
      error instanceof FailureError ? `${error.failure.message} ${error.failure.recovery}` : "a bug",
  );
}

test("it warns, and lets programs of this machine in", async () => {
  site = await openSite({ serve: { isDoorOpen: true } });
  expect(site.server.warnings).toEqual([expect.stringMatching(/^The server runs without authentication: .+\.$/)]);
  expect((await site.call("GET", "/path", { token: "" })).status).toBe(200);
  const elsewhere = { token: "", headers: { origin: "https://elsewhere.example" } };
  expect((await site.call("GET", "/path", elsewhere)).status).toBe(403);
});

test("it is not said of a server with authentication", async () => {
  site = await openSite({ serve: { requireAuth: true } });
  expect(site.server.warnings).toEqual([]);
});

test("it is refused where others can reach it, and where a setting forbids it", async () => {
  const exposed = { isDoorOpen: true, hostname: "0.0.0.0", isInsecure: true };
  expect(await failureOf(exposed)).toMatch(/^Without authentication, the server cannot listen on 0\.0\.0\.0/);
  expect(await failureOf({ isDoorOpen: true, requireAuth: true })).toBe(
    "The setting server.requireAuth does not allow a server without authentication. Remove --no-auth.",
  );
});

test("what a managed policy requires cannot be taken back by the user", async () => {
  const place = mkdtempSync(join(tmpdir(), "kedge-policy-"));
  try {
    const [home, managed] = ["home", "managed"].map((name) => join(place, name)) as [string, string];
    for (const directory of [home, managed]) mkdirSync(directory, { mode: 0o755 });
    writeFileSync(join(home, "config.json"), JSON.stringify({ server: { requireAuth: false } }));
    writeFileSync(join(managed, "managed.json"), JSON.stringify({ server: { requireAuth: true } }), { mode: 0o644 });
    const loaded = await loadConfiguration({
      ...{ home, userDirectory: home, cwd: home, projectRoot: home, environment: {}, files: [], isTrusted: true },
      managed: { directory: managed, owner: userInfo().uid },
    });
    expect(loaded).toMatchObject({ ok: true, configuration: { server: { requireAuth: true } } });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
