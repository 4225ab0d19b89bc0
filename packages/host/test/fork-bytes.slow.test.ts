/**
 * Forks on every wire, against a vendor that caches by prefix and bills what it reads: skills with `context: fork` send
 * their parent's bytes up to their own text, and are served from its cache.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fact, type FactOf, forkMark, type Usage } from "@kedge/protocol";
import { createPrefixCache, type MockModel, type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

let directory: string;
let model: MockModel;
let kedge: Kedge;

afterEach(async () => {
  await kedge.close();
  await model.close();
  rmSync(directory, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

const isFork = ({ raw }: MockRequest) => raw.includes(forkMark);
const isSummary = ({ raw }: MockRequest) => raw.includes("Write the record of everything above");

/** The parent reads a file, then starts two forks at once; each fork reads it too and reports. */
function answer(request: MockRequest, forks: Map<string, number>): MockTurn {
  if (isSummary(request)) return { text: "## Goal\nRead the notes." };
  if (isFork(request)) {
    const task = /Say (\w+)\./.exec(request.raw.toString())?.[1] ?? "";
    const nth = (forks.get(task) ?? 0) + 1;
    forks.set(task, nth);
    if (nth > 1) return { text: `Fork ${task} is done.` };
    return { toolCalls: [{ id: `fork${task}`, name: "read", input: { filePath: "notes.txt" } }] };
  }
  const text = request.raw.toString();
  if (text.includes("Fork two is done")) return { text: "Both are done." };
  const skill = (name: string) => ({ id: `call${name}`, name: "skill", input: { name } });
  if (text.includes("callread")) return { text: "Two forks.", toolCalls: [skill("one"), skill("two")] };
  return { toolCalls: [{ id: "callread", name: "read", input: { filePath: "notes.txt" } }] };
}

async function open(api: string): Promise<string> {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-forks-")));
  const cache = createPrefixCache({ now: () => 0, ttlMs: 1 });
  const forks = new Map<string, number>();
  model = await startMockModel({
    script: (request) => ({ ...answer(request, forks), usage: cache.bill(request) }),
  });
  put("project/notes.txt", "A line of notes that a model reads.\n".repeat(300));
  put("project/AGENTS.md", "Be brief.\n");
  for (const name of ["one", "two"])
    put(
      `.claude/skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: Skill ${name}.\ncontext: fork\n---\nSay ${name}.`,
    );
  execFileSync("git", ["init", "-q", join(directory, "project")]);
  const provider = { mock: { api, baseURL: model.baseUrl, apiKey: "key-of-the-test" } };
  put("home/config.json", JSON.stringify({ provider, model: "mock/model", titles: { enabled: false } }));
  const place = {
    project: join(directory, "project"),
    userDirectory: directory,
    homeDirectory: join(directory, "home"),
  };
  kedge = await openAssembled({ ...place, environment: {}, interactive: true });
  const created = await kedge.door.send<"session.create">({
    type: "session.create",
    mode: "default",
    model: "mock/model",
  });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value.sessionId;
}

async function prompt(sessionId: string, text: string): Promise<FactOf<"run.ended">> {
  const ended = new Promise<FactOf<"run.ended">>((resolve) => {
    const stop = kedge.door.subscribe(sessionId, (event) => {
      if (event.kind !== "fact" || event.record.fact.type !== "run.ended") return;
      stop();
      resolve(event.record.fact);
    });
  });
  const options = { reasoning: { effort: "high" } } as const;
  await kedge.door.send<"prompt.submit">({ type: "prompt.submit", sessionId, text, delivery: "follow-up", options });
  return ended;
}

async function factsOf(sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of kedge.store.read(sessionId, 0)) facts.push(fact);
  return facts;
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function sentTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

const wires = ["openai-chat", "openai-responses", "anthropic", "google"];

test.each(wires)("forks send the bytes of their parent and read its cache: %s", async (api) => {
  const sessionId = await open(api);
  expect(await prompt(sessionId, "Read the notes, then run both skills.")).toMatchObject({
    reason: "completed",
    text: "Both are done.",
  });
  const texts = model.requests.map(({ raw }) => raw.toString());
  const [one, two] = ["one", "two"].map((name) => {
    const own = model.requests.findIndex((request) => isFork(request) && request.raw.includes(`Say ${name}.`));
    return texts[own] ?? "";
  });
  const parents = model.requests.flatMap((request, index) => (isFork(request) ? [] : [texts[index] ?? ""]));
  const [, before = "", after = ""] = parents;
  if (one === undefined || two === undefined) throw new Error("a fork is missing");

  // Up to the text of the fork everything is what the parent sent before, and what it sends next up to the results.
  const mark = one.indexOf(forkMark);
  const shared = commonStart(one, before);
  const next = commonStart(one, after);
  expect(one.slice(next, mark)).not.toContain("notes that a model reads");
  expect(next).toBeGreaterThan(shared);
  expect(one.slice(0, next)).toContain("Two forks.");
  // Nothing of the last request is missing, and what follows the messages is the same.
  const tail = before.slice(shared);
  expect(tail).toMatch(/^\],"/);
  expect(one.endsWith(tail)).toBe(true);
  expect(one.slice(next, mark).match(/Its result is not shown here/g)).toHaveLength(2);
  // Siblings differ in their own text alone.
  const between = commonStart(one, two);
  expect(one.slice(mark, between)).toContain("Follow the instructions of the skill ");
  const ends = [one, two].map((text, index) => text.slice(between).replaceAll(["one", "two"][index] ?? "", "X"));
  expect(ends[0]).toBe(ends[1]);

  const bodies = [before, one, two, after].map((text) => JSON.parse(text));
  for (const body of bodies) expect(body.tools).toEqual(bodies[0].tools);
  const facts = await factsOf(sessionId);
  const started = facts.filter((fact) => fact.type === "agent.started");
  expect(started.map(({ agent, description }) => [agent, description])).toEqual([
    ["fork", "Skill one"],
    ["fork", "Skill two"],
  ]);
  const main = facts.filter((fact) => fact.type === "step.ended");
  const parentTokens = main[1] === undefined ? 0 : sentTokens(main[1].usage);
  for (const { agentId } of started) {
    const steps = (await factsOf(agentId)).filter((fact) => fact.type === "step.ended");
    const [first, second] = steps.map(({ usage }) => usage);
    expect((first?.cacheRead ?? 0) / parentTokens, `${api} ${agentId}`).toBeGreaterThanOrEqual(0.95);
    expect(second?.cacheRead).toBeGreaterThanOrEqual(first?.cacheRead ?? 0);
  }
});

test.each(wires)("a summary is asked for with the bytes of the session and read from its cache: %s", async (api) => {
  const sessionId = await open(api);
  await prompt(sessionId, "Read the notes, then run both skills.");
  await prompt(sessionId, "Go on.");
  expect(await kedge.door.send<"context.compact">({ type: "context.compact", sessionId })).toMatchObject({ ok: true });
  const texts = model.requests.map(({ raw }) => raw.toString());
  const asked = texts.at(-1) ?? "";
  const before = texts.at(-2) ?? "";
  // Everything of the last request is in it: up to the end of its messages, and again what follows these.
  const shared = commonStart(asked, before);
  expect(asked.endsWith(before.slice(shared))).toBe(true);
  expect(before.slice(shared)).toMatch(/^\],"/);
  expect(asked.slice(shared)).toContain("Write the record of everything above");
  const facts = await factsOf(sessionId);
  const compacted = facts.find((fact) => fact.type === "context.compacted");
  const last = facts.findLast((fact) => fact.type === "step.ended");
  if (compacted?.usage === undefined || last === undefined) throw new Error("nothing was counted");
  expect(compacted.summary).toContain("Read the notes.");
  expect(compacted.usage.cacheRead / sentTokens(last.usage), api).toBeGreaterThanOrEqual(0.95);
});
