/** Proves what hooks get of the machine: rules as conditions, judged addresses, an environment without secrets, changes on the disk. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event, PhasedCall } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../machine/home.ts";
import { findProject } from "../machine/project.ts";
import { openCommandHooks } from "./command-hooks.ts";
import type { OpenedHooks } from "./open-hooks.ts";

let directory = "";
let opened: OpenedHooks | undefined;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-open-hooks-")));
  mkdirSync(join(directory, "project"));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function open(
  hooks: object,
  { allowedUrls, environment = {} }: { allowedUrls?: readonly string[]; environment?: object } = {},
) {
  const home = openHome(join(directory, "home"));
  if (!home.ok) throw new Error(home.failure.message);
  writeFileSync(join(directory, "project/kedge.json"), JSON.stringify({ hooks }));
  opened = openCommandHooks({
    home: home.home,
    project: findProject(join(directory, "project")),
    userDirectory: directory,
    environment: { PATH: process.env["PATH"], ...environment },
    configuration: {
      env: { passthrough: [], scrubGithub: false },
      hooks: {
        sources: [{ dialect: "claude", scope: "project", file: "kedge.json", hooks }],
        ...(allowedUrls !== undefined && { allowedUrls }),
      },
    },
  });
  if (opened === undefined) throw new Error("there are hooks");
  return opened;
}

const command = (text: string, rest: object = {}) => ({ hooks: [{ type: "command", command: text, ...rest }] });
const signal = new AbortController().signal;

function call(text: string): PhasedCall {
  return {
    sessionId: "ses_1",
    callId: "c1",
    tool: "bash",
    input: { command: text },
    needs: [{ permission: "bash", patterns: [text], always: [], access: "execute" }],
    readOnly: false,
    cwd: join(directory, "project"),
    mode: "default",
  };
}

test.each([
  ["git push", "refuse"],
  ["cd src && git push", "refuse"],
  ["make", undefined],
])("a condition reads %j as rules do", async (text, expected) => {
  const hooks = open({ PreToolUse: [command("exit 2", { if: "Bash(git *)" })] });
  const answer = await hooks.callPhases[0]?.before?.(call(text), signal);
  expect(answer?.decision).toBe(expected);
});

test("a condition that is no rule is reported, and the hook runs for every call", async () => {
  const hooks = open({ PreToolUse: [command("exit 2", { if: "((" })] });
  expect(hooks.problems).toEqual([expect.stringContaining("so the hook runs for every call.")]);
  expect(await hooks.callPhases[0]?.before?.(call("make"), signal)).toMatchObject({ decision: "refuse" });
});

test.each([
  ["http://169.254.169.254/latest", "is not allowed"],
  ["http://10.0.0.1/", "is not allowed"],
  ["http://[::ffff:10.0.0.1]/", "is not allowed"],
  ["http://127.0.0.1:1/", "the connection was refused"],
])("the address %s: %s", async (url, expected) => {
  const hooks = open({ Stop: [{ hooks: [{ type: "http", url, timeout: 5 }] }] });
  const [tried] = await hooks.tryEvent({ name: "Stop", sessionId: "ses_1", cwd: directory, fields: {} });
  expect(tried?.result).toMatchObject({ ok: false, problem: expect.stringContaining(expected) });
});

test("allowedHttpHookUrls restricts further", async () => {
  const hooks = open(
    { Stop: [{ hooks: [{ type: "http", url: "http://127.0.0.1:1/x" }] }] },
    { allowedUrls: ["https://ok.example/*"] },
  );
  const [tried] = await hooks.tryEvent({ name: "Stop", sessionId: "ses_1", cwd: directory, fields: {} });
  expect(tried?.result).toMatchObject({ problem: expect.stringContaining("allowedHttpHookUrls") });
});

test("a header of a project's hook names no secret", async () => {
  const got: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    got.push(request.headers.authorization);
    response.end();
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const headers = { authorization: "$OPENAI_API_KEY/$LANG" };
  const hook = { type: "http", url, headers, allowedEnvVars: ["OPENAI_API_KEY", "LANG"] };
  const hooks = open({ Stop: [{ hooks: [hook] }] }, { environment: { OPENAI_API_KEY: "sk-secret", LANG: "C" } });
  await hooks.tryEvent({ name: "Stop", sessionId: "ses_1", cwd: directory, fields: {} });
  server.close();
  expect(got).toEqual(["/C"]);
});

test("commands see the project and no secret", async () => {
  const hooks = open(
    { Stop: [command("env > seen")] },
    { environment: { ANTHROPIC_API_KEY: "sk-secret", AWS_SECRET_ACCESS_KEY: "x" } },
  );
  const cwd = join(directory, "project");
  await hooks.tryEvent({ name: "Stop", sessionId: "ses_1", cwd, fields: {} });
  const seen = readFileSync(join(cwd, "seen"), "utf8");
  expect(seen).toContain(`KEDGE_PROJECT_DIR=${cwd}\n`);
  expect(seen).toContain(`CLAUDE_PROJECT_DIR=${cwd}\n`);
  expect(seen).not.toMatch(/sk-secret|AWS_SECRET/);
});

const opening = (mode: string, origin?: object) =>
  ({ kind: "fact", record: { fact: { type: "session.created", mode, origin } } }) as unknown as Event;

test("a change on the disk is named, told to hooks of open sessions, and changes nothing that runs", async () => {
  const cwd = join(directory, "project");
  const changes = { ...command("cat > changed"), matcher: "project_settings" };
  const hooks = open({ ConfigChange: [changes, { ...changes, matcher: "user_settings" }], Stop: [command("true")] });
  hooks.hear("ses_1", opening("plan"));
  hooks.hear("ses_2", opening("default", { kind: "child", sessionId: "ses_1" }));
  writeFileSync(join(cwd, "kedge.json"), JSON.stringify({ hooks: {} }));
  await expect.poll(hooks.changed).toEqual([join(cwd, "kedge.json")]);
  const seen = () => JSON.parse(readFileSync(join(cwd, "changed"), "utf8"));
  const told = { source: "project_settings", file_path: join(cwd, "kedge.json") };
  await expect.poll(seen).toMatchObject({ ...told, session_id: "ses_1", permission_mode: "plan" });
  expect(hooks.hooks).toHaveLength(3);
});
