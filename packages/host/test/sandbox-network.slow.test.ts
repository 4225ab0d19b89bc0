/** A confined command waits for a host that is not on the list: the real sandbox, its proxy, real questions, a server on loopback. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Fact, FactOf, PermissionMode, PermissionReply } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Played, playSession } from "./play-session.ts";

// Commands have temporary files of their own, so the project must not lie among those.
const cache = join(import.meta.dirname, "../../../node_modules/.cache");
let place = "";
let project = "";
let server: Server;
let host = "";
let played: Played | undefined;

beforeEach(async () => {
  mkdirSync(cache, { recursive: true });
  place = realpathSync(mkdtempSync(join(cache, "kedge-hosts-")));
  project = join(place, "w");
  mkdirSync(project);
  server = createServer((_, response) => response.end("from outside\n"));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await played?.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(place, { recursive: true, force: true });
});

type Story = { readonly mode?: PermissionMode; readonly interactive?: boolean; readonly rules?: object };

/** One command per turn; every question gets the same answer. */
async function play(
  commands: readonly string[],
  reply: PermissionReply,
  { mode = "default", interactive = true, rules = {} }: Story = {},
): Promise<readonly Fact[]> {
  const calls = commands.map((command) => ({ name: "bash", input: { command, description: "x" } }));
  const settings = { permission: rules, sandbox: { mode: "on" } };
  played = await playSession({ ...{ place, project, calls, mode, interactive, settings }, answer: () => reply });
  return played.facts;
}

// Loopback is what programs ask without a proxy otherwise.
const fetches = () => `curl --silent --noproxy '' http://${host}/`;
const questions = (facts: readonly Fact[]) =>
  facts
    .filter((fact): fact is FactOf<"permission.asked"> => fact.type === "permission.asked")
    .map(({ permission, patterns }) => `${permission} ${patterns.join(" ")}`);
const outputs = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === "tool.ended" && fact.tool === "bash" ? [fact.output] : []));

test("the command waits for the answer, and a session's answer covers later commands", async () => {
  const facts = await play([`${fetches()}; ${fetches()}`, fetches()], "session");
  expect(questions(facts)).toEqual([`sandbox_network ${host}`]);
  expect(outputs(facts)).toEqual(["from outside\nfrom outside\n", "from outside\n"]);
});

test("an answer for once is for one command", async () => {
  const facts = await play([fetches(), fetches()], "once");
  expect(questions(facts)).toEqual([`sandbox_network ${host}`, `sandbox_network ${host}`]);
  expect(outputs(facts)).toEqual(["from outside\n", "from outside\n"]);
});

test.each<[string, Story]>([
  ["nobody can answer", { interactive: false }],
  ["a rule denies the host", { rules: { sandbox_network: { "127.*": "deny" } } }],
  ["permissions are bypassed and nobody can answer", { interactive: false, mode: "bypass" }],
])("where %s the host is refused, and the setting is named", async (_, story) => {
  const facts = await play([fetches()], "once", story);
  expect(questions(facts)).toEqual([]);
  expect(outputs(facts)).toEqual([expect.stringContaining(`adds "${host}" to sandbox.allowedHosts`)]);
});

test("who says no is not asked again by the same command", async () => {
  const facts = await play([`${fetches()}; ${fetches()}`], "reject");
  expect(questions(facts)).toEqual([`sandbox_network ${host}`]);
  expect(outputs(facts).join("")).not.toContain("from outside");
});

test("what does not use the proxy has no network, and the result says so", async () => {
  const facts = await play([`curl --silent --show-error --noproxy '*' http://${host}/`, "false"], "once");
  expect(questions(facts)).toEqual([]);
  const note = "Commands in the sandbox reach hosts only through its proxy";
  expect(outputs(facts)).toEqual([expect.stringContaining(note), expect.not.stringContaining(note)]);
});
