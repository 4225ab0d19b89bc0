/** Proves that a client takes up only a server that lives, answers and is of the same project, and clears away the rest. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostAccess } from "@kedge/host/server";
import { protocolVersion } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ListeningServer, listen } from "../src/listen.ts";
import { findRunningServer, publishServer, type RunningServer, runFilePath } from "../src/run-file.ts";
import { projectHashOf } from "../src/server-port.ts";

let home = "";
let directory = "";
let server: ListeningServer;
let health: { status: number; body: unknown };
const asked: (string | undefined)[] = [];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "kedge-run-home-"));
  directory = mkdtempSync(join(tmpdir(), "kedge-run-"));
  health = { status: 200, body: { ok: true, protocol: protocolVersion, projectHash: projectHashOf(directory) } };
  asked.length = 0;
  server = await listen(
    { directory, port: 0 },
    {
      onRequest(request, response) {
        asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        response.writeHead(health.status).end(JSON.stringify(health.body));
      },
      onUpgrade: (_request, socket) => socket.destroy(),
    },
  );
});
afterEach(async () => {
  await server.close(0);
  for (const path of [home, directory]) rmSync(path, { recursive: true, force: true });
});

function running(changes: Partial<RunningServer> = {}): RunningServer {
  const { pid, startedAt: processStartedAt } = access().thisProcess();
  const { url, port } = server;
  const about = { startedAt: 1_700_000_000_000, version: "0.1.0", protocolVersion, directory };
  return { pid, processStartedAt, url, port, token: "kedge_prompt", ...about, ...changes };
}

const access = () => hostAccess({ home, environment: {}, now: () => 0 });
const path = () => runFilePath(home, directory);

test("a server that was published is found with its token, by its owner alone", async () => {
  const published = publishServer(access(), running());
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "running", server: running() });
  expect(asked).toEqual(["GET /global/health Bearer kedge_prompt"]);
  expect([statSync(path()).mode & 0o777, statSync(dirname(path())).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual(running());
  if (published.ok) published.withdraw();
  expect(existsSync(path())).toBe(false);
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "none" });
});

test.each<[string, Partial<RunningServer>]>([
  ["a process that ended", { pid: 2 ** 22 - 1 }],
  ["another process under the same id", { processStartedAt: "1" }],
  ["a port where nobody listens", { url: "http://127.0.0.1:1" }],
])("the file of %s is removed", async (_name, changes) => {
  publishServer(access(), running(changes));
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "none" });
  expect(existsSync(path())).toBe(false);
});

test.each<[string, number, unknown]>([
  ["is of another project", 200, { ok: true, protocol: protocolVersion, projectHash: "other" }],
  ["does not know the token", 401, { error: { code: "unauthorized", message: "No." } }],
  ["is no kedge", 200, "hello"],
])("the file of a server that %s is removed", async (_name, status, body) => {
  publishServer(access(), running());
  health = { status, body };
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "none" });
  expect(existsSync(path())).toBe(false);
});

test("a file that says nothing is removed, and one that does not exist is no trouble", async () => {
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "none" });
  mkdirSync(dirname(path()));
  for (const text of ["", "{", '{"pid":1}', "[]"]) {
    writeFileSync(path(), text);
    expect(await findRunningServer(access(), directory)).toEqual({ kind: "none" });
    expect(existsSync(path())).toBe(false);
  }
});

test("a server of another language lives on, and is not used", async () => {
  const other = running({ protocolVersion: "99.0" });
  publishServer(access(), other);
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "incompatible", server: other });
  expect(existsSync(path())).toBe(true);
  const minor = running({ protocolVersion: `${protocolVersion.split(".")[0]}.99` });
  publishServer(access(), minor);
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "running", server: minor });
});

test("a server that turns this process away keeps its file", async () => {
  publishServer(access(), running());
  health = { status: 403, body: { error: { code: "agent_process", message: "No." } } };
  expect(await findRunningServer(access(), directory)).toEqual({ kind: "silent", server: running() });
  expect(existsSync(path())).toBe(true);
});

test("of two servers of a directory the first one stays, and the end of one leaves the other's file", () => {
  const ended = publishServer(access(), running({ pid: 2 ** 22 - 1, token: "kedge_ended" }));
  const parent = { pid: process.ppid, processStartedAt: startOf(process.ppid), token: "kedge_first" };
  expect(publishServer(access(), running(parent)).ok).toBe(true);
  expect(publishServer(access(), running())).toEqual({ ok: false, existing: running(parent) });
  if (ended.ok) ended.withdraw();
  expect(existsSync(path())).toBe(true);
});

function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
