/** Proves through the door of a whole kedge that terminals are opened, read and ended there, without its secrets. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kedge } from "@kedge/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAssembled } from "../assembled-kedge.ts";
import { isAlive, waiting } from "./terminal-site.ts";

const canaries = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "ANTHROPIC_CUSTOM_HEADERS",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "AZURE_CLIENT_SECRET",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "KEDGE_SERVER_TOKEN",
  "KEDGE_SERVER_PASSWORD",
  "KEDGE_BRIDGE_SECRET",
].flatMap((name) => [name, `INPUT_${name}`]);

let place: string;
let kedge: Kedge;

async function openKedge(settings: object): Promise<void> {
  const userDirectory = join(place, "user");
  const homeDirectory = join(userDirectory, ".kedge");
  const project = join(place, "project");
  for (const directory of [homeDirectory, project]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(homeDirectory, "config.json"), JSON.stringify(settings));
  const secrets = Object.fromEntries(canaries.map((name) => [name, `canary-of-${name}`]));
  const environment = { ...secrets, HOME: userDirectory, PATH: process.env["PATH"] ?? "", GH_TOKEN: "of-the-job" };
  kedge = await openAssembled({ project, userDirectory, homeDirectory, environment, interactive: true });
}

/** What it wrote until it ended. */
async function outputOf(command: string): Promise<string> {
  const opened = await kedge.door.send({ type: "pty.open", command });
  if (!opened.ok) throw new Error(opened.failure.message);
  const read = () => kedge.door.ask({ type: "pty.read", ptyId: opened.value.ptyId });
  await expect.poll(read, waiting).toMatchObject({ ok: true, value: { exitCode: 0 } });
  const ended = await read();
  return ended.ok ? ended.value.screen : "";
}

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-terminal-")));
});
afterEach(async () => {
  await kedge.close();
  rmSync(place, { recursive: true, force: true });
});

test("no secret of kedge, of vendors or of clouds is in the environment of a terminal", async () => {
  await openKedge({});
  const output = await outputOf("env; tr '\\0' '\\n' < /proc/$$/environ; ls -l /proc/$$/fd | wc -l");
  expect(output).not.toContain("canary");
  expect(output).toContain("GH_TOKEN=of-the-job\r\n");
  expect(output).toContain("TERM=xterm-256color\r\n");
});

test("what the user lets through is there, but never a secret of kedge itself", async () => {
  await openKedge({ env: { passthrough: ["OPENAI_API_KEY", "KEDGE_SERVER_TOKEN"], scrubGithub: true } });
  const output = await outputOf("env");
  expect(output.match(/canary\S*/g)).toEqual(["canary-of-OPENAI_API_KEY"]);
  expect(output).not.toContain("GH_TOKEN");
});

test("a user who switched terminals off has none", async () => {
  await openKedge({ server: { pty: false } });
  const refusal = { ok: false, failure: { message: "Terminals are disabled." } };
  expect(await kedge.door.send({ type: "pty.open" })).toMatchObject(refusal);
  expect(await kedge.door.ask({ type: "pty.list" })).toEqual({ ok: true, value: { terminals: [] } });
});

test("the door lists terminals and ends them, and closing kedge ends the rest", async () => {
  await openKedge({});
  const { door } = kedge;
  const command = "echo pid $$; exec cat";
  const [first, second] = [
    await door.send({ type: "pty.open", command }),
    await door.send({ type: "pty.open", command }),
  ];
  if (!first.ok || !second.ok) throw new Error("no terminals");
  const listed = await door.ask({ type: "pty.list" });
  const ids = listed.ok ? listed.value.terminals.map(({ ptyId }) => ptyId) : [];
  expect(ids).toEqual([first.value.ptyId, second.value.ptyId]);
  const pids = await Promise.all(
    ids.map(async (ptyId) => {
      const read = () => door.ask({ type: "pty.read", ptyId });
      await expect.poll(read, waiting).toMatchObject({ value: { screen: expect.stringMatching(/^pid \d+\r\n$/) } });
      const answer = await read();
      return Number(answer.ok && answer.value.screen.slice("pid ".length));
    }),
  );
  expect(await door.send({ type: "pty.close", ptyId: first.value.ptyId })).toEqual({ ok: true, value: {} });
  expect(pids.map(isAlive)).toEqual([false, true]);
  await kedge.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
});
