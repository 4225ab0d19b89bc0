/** `kedge serve`, `attach` and `token` as a person uses them: real processes, real sockets, a mock model. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { request, type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let server: ServerProcess | undefined;

afterEach(async () => {
  await server?.stop();
  await bench?.close();
  server = undefined;
  bench = undefined;
});

async function open(answer: (request: MockRequest) => MockTurn, argv: readonly string[] = []) {
  bench = await openWorkbench(answer);
  server = await startServerProcess(bench, argv);
  return { bench, server };
}

const write: MockTurn = { toolCalls: [{ name: "write", input: { filePath: "a.txt", content: "a\n" } }] };

/** Writes a file once, then says that it is done. */
const writesOnce = ({ body }: MockRequest): MockTurn =>
  body.messages?.some(({ role }) => role === "tool") ? { text: "Done." } : write;

test("it says in one line where it is, and ends cleanly in the middle of a run", async () => {
  const hanging = Promise.withResolvers<void>();
  const { bench: at, server: running } = await open(() => {
    hanging.resolve();
    return { text: "word ".repeat(500), stallAfterBytes: 1_500 };
  });
  const created = await running.client.send<"session.create">({ type: "session.create" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const prompt = { type: "prompt.submit", sessionId, text: "go", delivery: "steer", options: {} } as const;
  expect((await running.client.send<"prompt.submit">(prompt)).ok).toBe(true);
  await hanging.promise;
  const runFiles = () => readdirSync(join(at.home, "run")).filter((name) => name.endsWith(".json"));
  expect(runFiles()).toHaveLength(1);
  const { code, stderr } = await running.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(runFiles()).toEqual([]);
  const verified = await at.run(["session", "verify", sessionId, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ valid: true });
  const shown = await at.run(["session", "show", sessionId]);
  expect(shown.stdout).toContain("(interrupted)");
});

test("a second server of the same directory is told of the first", async () => {
  const { bench: at, server: running } = await open(() => ({ text: "Hello." }));
  const second = await at.run(["serve", "--json"]);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`is already running at ${running.url}`);
});

test("attach holds the conversation of a session that runs in the server, and approves with the right token only", async () => {
  const { bench: at, server: running } = await open(writesOnce);
  const watched = await at.run(["attach"], { input: "Write it\n" });
  expect(watched.stdout).toContain("you can send prompts but not approve actions.");
  expect(watched.stdout).not.toContain("[y] once");
  expect(existsSync(join(at.project, "a.txt"))).toBe(false);
  const attached = await at.run(["attach", running.url, "--token", running.token], {
    input: "Write it\ny\n!echo hi\n",
  });
  expect(attached.stderr).toBe("");
  expect(attached.stdout).toContain("Done.");
  // Shell lines need all rights, and this token has not.
  expect(attached.stdout).toContain("requires the scope admin");
  expect(readFileSync(join(at.project, "a.txt"), "utf8")).toBe("a\n");
  const wrong = await at.run(["attach", running.url, "--token", "kedge_wrong"], { input: "" });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain("kedge:");
});

test("attach ends with one sentence when the server came back and does not know its token", async () => {
  const { bench: at, server: first } = await open(() => ({ text: "Hello." }));
  const child = at.start(["attach", first.url, "--token", first.token]);
  const over = ended(child);
  const greeted = appeared(child, "Hello.");
  child.stdin.write("Hi\n");
  await greeted;
  await first.stop();
  server = await startServerProcess(at, ["--port", new URL(first.url).port]);
  const { code, stdout, stderr } = await over;
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout.match(/^kedge: .*$/gm)).toHaveLength(1);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^kedge: .*(token|credential)/);
});

test("attach without a server says how to start one", async () => {
  bench = await openWorkbench([]);
  const attached = await bench.run(["attach"]);
  expect(attached.code).toBe(1);
  expect(attached.stderr).toContain("No server is running for this directory.");
  expect(attached.stderr).toContain("kedge serve");
});

test("a token of the scope prompt starts work but cannot approve it, and is worth nothing once removed", async () => {
  const { bench: at, server: running } = await open(writesOnce);
  const added = await at.run(["token", "add", "ci", "--scope", "prompt", "--ttl", "12h", "--json"]);
  const { token } = JSON.parse(added.stdout) as { readonly token: string };
  const asCi = { url: running.url, token };
  const created = await request(asCi, "/session", { method: "POST", body: {} });
  expect(created.status).toBe(200);
  const { sessionId } = created.body as { readonly sessionId: string };
  const bypass = await request(asCi, "/session", { method: "POST", body: { mode: "bypass" } });
  expect(bypass).toMatchObject({ status: 403, body: { error: { code: "scope" } } });
  await request(asCi, `/session/${sessionId}/prompt_async`, { method: "POST", body: { text: "Write it" } });
  const requestId = await pendingPermission(running);
  const reply = { method: "POST", body: { reply: "once" } };
  expect(await request(asCi, `/permission/${requestId}`, reply)).toMatchObject({ status: 403 });
  expect(existsSync(join(at.project, "a.txt"))).toBe(false);
  expect(await request(running, `/permission/${requestId}`, reply)).toMatchObject({ status: 200 });
  expect(await request(running, `/permission/${requestId}`, reply)).toMatchObject({ status: 409 });
  const listed = await at.run(["token", "list"]);
  expect(listed.stdout).toContain("ci");
  expect(listed.stdout).not.toContain(token);
  expect((await at.run(["token", "remove", "ci"])).code).toBe(0);
  expect(await request(asCi, "/session")).toMatchObject({ status: 401 });
});

async function pendingPermission({ client }: ServerProcess): Promise<string> {
  for (;;) {
    const asked = await client.ask<"permission.list">({ type: "permission.list" });
    const [first] = asked.ok ? asked.value.requests : [];
    if (first !== undefined) return first.requestId;
  }
}

/** A model that runs one command after the other. */
function carryingOut(script: () => readonly string[]): (request: MockRequest) => MockTurn {
  return ({ body }) => {
    const results = body.messages?.filter(({ role }) => role === "tool").length ?? 0;
    const command = script()[results];
    const input = { command, description: "An attack" };
    return command === undefined ? { text: "Done." } : { toolCalls: [{ name: "bash", input }] };
  };
}

test("without authentication it warns, and the setting of a policy is heeded", async () => {
  const { bench: at, server: running } = await open(() => ({ text: "Hello." }), ["--no-auth"]);
  expect(await request({ url: running.url, token: "" }, "/session")).toMatchObject({ status: 200 });
  const { stderr } = await running.stop();
  expect(stderr).toContain("kedge: The server runs without authentication");
  const settings = JSON.parse(readFileSync(join(at.home, "config.json"), "utf8"));
  writeFileSync(join(at.home, "config.json"), JSON.stringify({ ...settings, server: { requireAuth: true } }));
  const refused = await at.run(["serve", "--no-auth", "--port", "0"]);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("server.requireAuth");
});

test("what the agent starts cannot speak as the user, not even with all permissions and the user's own token", async () => {
  let script: string[] = [];
  const { bench: at, server: running } = await open(
    carryingOut(() => script),
    ["--scope", "admin"],
  );
  const [runFile = ""] = readdirSync(join(at.home, "run")).filter((name) => name.endsWith(".json"));
  const ofRunFile = JSON.parse(readFileSync(join(at.home, "run", runFile), "utf8")) as { readonly token: string };
  const curl = (method: string, path: string, body: string, { token } = running as { readonly token: string }) => {
    const auth = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`;
    return `curl -s -o out.txt -w '%{http_code} ' -X ${method} ${auth} -d '${body}' ${running.url}${path}; cat out.txt`;
  };
  script = [
    curl("POST", "/permission/per_1", '{"reply":"once"}'),
    curl("POST", "/permission/per_1", '{"reply":"once"}', ofRunFile),
    curl("PATCH", "/config", '{"layer":"user","key":"permissionMode","value":"bypass"}'),
    curl("PUT", "/auth/mock", '{"key":"stolen"}'),
    curl("POST", "/auth/code", "{}"),
    curl("POST", "/auth/ticket", "{}", ofRunFile),
    curl("POST", "/pty", "{}"),
    `setsid sh -c "${curl("POST", "/pty", "{}").replaceAll('"', '\\"')}" & wait`,
  ];
  const created = await request(running, "/session", { method: "POST", body: { mode: "bypass" } });
  const { sessionId } = created.body as { readonly sessionId: string };
  await request(running, `/session/${sessionId}/prompt`, { method: "POST", body: { text: "Attack" } });
  const outputs: string[] = [];
  for await (const { fact } of running.client.facts(sessionId))
    if (fact.type === "tool.ended") outputs.push(fact.output);
  expect(outputs).toHaveLength(script.length);
  for (const output of outputs) expect(output).toContain("403");
  for (const output of outputs) expect(output).toContain("agent_process");
  expect(await request(running, "/pty")).toMatchObject({ status: 200, body: { terminals: [] } });
  const log = await running.client.ask<"log.read">({ type: "log.read" });
  const told = log.ok ? log.value.lines.filter(({ text }) => text.includes("and was refused")) : [];
  expect(told).toHaveLength(script.length);
  const { stderr } = await running.stop();
  expect(stderr.match(/^kedge: A process of the agent, "curl" \(\d+\), tried .+ and was refused\.$/gm)).toHaveLength(
    script.length,
  );
});

test("the files in which tokens and keys lie are closed to the agent, also where it may do everything", async () => {
  let script: string[] = [];
  const { bench: at, server: running } = await open(carryingOut(() => script));
  const added = await at.run(["token", "add", "mine", "--scope", "admin"]);
  expect(added.code).toBe(0);
  const names = ["run/*.json", "tokens.json", "credentials.json", "data/kedge.db"];
  script = names.map((name) => `cat ${at.home}/${name}`);
  const created = await request(running, "/session", { method: "POST", body: { mode: "bypass" } });
  const { sessionId } = created.body as { readonly sessionId: string };
  await request(running, `/session/${sessionId}/prompt`, { method: "POST", body: { text: "Attack" } });
  const ends: unknown[] = [];
  for await (const { fact } of running.client.facts(sessionId)) {
    if (fact.type === "tool.ended") ends.push([fact.outcome, fact.output.includes("digest")]);
  }
  expect(ends).toEqual(names.map(() => ["refused", false]));
});
