/** What a teammate may do, in one process: it plans first where that is wanted, its questions expire, hooks keep it at work. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "@kedge/protocol";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type AgentSite, type Conversation, openAgentSite } from "../agents/agent-site.ts";
import { until } from "./team-bench.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const timing = { pollMs: 20, shutdownMs: 200 };
const base = { teams: { backend: "in-process" }, permission: { team: "allow", send_message: "allow" } };
const call = (id: string, name: string, input: object) => ({ id, name, input });

function teamOf(member: object): MockTurn {
  return { toolCalls: [call("create", "team_create", { name: "tea", members: [{ name: "one", ...member }] })] };
}

/** The calls that a model has made so far, in order. */
const madeIn = ({ request }: Conversation) =>
  (request.body.messages ?? []).flatMap(
    (message) => (message as { tool_calls?: readonly { id: string }[] }).tool_calls?.map(({ id }) => id) ?? [],
  );

function follow({ kedge }: AgentSite, sessionId: string) {
  const facts: Fact[] = [];
  kedge.engine.subscribe(sessionId, (event) => {
    if (event.kind === "fact") facts.push(event.record.fact);
  });
  const asked = () => facts.flatMap((fact) => (fact.type === "permission.asked" ? [fact] : []));
  return { facts, asked };
}

test("one that plans first changes nothing before a person approved its plan, and then works in the mode of its leader", async () => {
  site = await openAgentSite(
    (conversation) => {
      const made = madeIn(conversation);
      if (!conversation.prompt.startsWith("child"))
        return made.length === 0 ? teamOf({ prompt: "child plan", plan: true }) : { text: "It plans." };
      const steps: { readonly [id: string]: object } = {
        early: { command: "touch early.txt", description: "too early" },
        write: { filePath: ".kedge/plans/one.md", content: "1. Touch it.\n" },
        first: { planPath: ".kedge/plans/one.md" },
        second: { planPath: ".kedge/plans/one.md" },
        late: { filePath: "late.txt", content: "done\n" },
      };
      const tools: { readonly [id: string]: string } = { early: "bash", write: "write", late: "write" };
      const next = Object.keys(steps).find((id) => !made.includes(id));
      if (next === undefined) return { text: "Finished." };
      return { toolCalls: [call(next, tools[next] ?? "plan_exit", steps[next] ?? {})] };
    },
    { ...base, permission: { ...base.permission, bash: "allow" } },
    { teamTiming: timing, interactive: true },
  );
  const { kedge, project, home } = site;
  const sessionId = await site.open("accept-edits");
  const { asked } = follow(site, sessionId);
  void site.prompt(sessionId, "parent go");
  await until(() => asked().length === 1);
  const [first] = asked();
  expect(first).toMatchObject({
    tool: "plan_exit",
    permission: "plan",
    preview: "1. Touch it.\n",
    agent: { name: "one" },
  });
  expect(existsSync(join(project, "early.txt"))).toBe(false);
  const answer = (requestId: string, reply: "once" | "reject", message?: string) =>
    kedge.engine.send<"permission.answer">({
      ...{ type: "permission.answer", sessionId, requestId, reply },
      ...(message !== undefined && { message }),
    });
  await answer(first?.requestId ?? "", "reject", "Say which file.");
  await until(() => asked().length === 2);
  expect(existsSync(join(project, "late.txt"))).toBe(false);
  await answer(asked()[1]?.requestId ?? "", "once");
  // Edits need no question in the mode of the leader.
  await until(() => existsSync(join(project, "late.txt")));
  expect(asked()).toHaveLength(2);
  const team = JSON.parse(readFileSync(join(home, "teams/tea/team.json"), "utf8"));
  const { agentId } = team.members[0];
  const modes = (await site.facts(agentId)).flatMap(({ fact }) =>
    fact.type === "session.created" || fact.type === "mode.changed" ? [fact.mode] : [],
  );
  expect(modes).toEqual(["plan", "default", "accept-edits"]);
  const refused = (await site.facts(agentId)).find(({ fact }) => fact.type === "tool.ended" && fact.callId === "early");
  expect(refused?.fact).toMatchObject({ outcome: "refused" });
  expect((await site.facts(sessionId)).some(({ fact }) => fact.type === "mode.changed")).toBe(false);
});

test("a question that nobody answers in time counts as denied, and the teammate goes on", async () => {
  const notes: string[] = [];
  site = await openAgentSite(
    (conversation) => {
      const made = madeIn(conversation);
      if (!conversation.prompt.startsWith("child"))
        return made.length === 0 ? teamOf({ prompt: "child ask" }) : { text: "It asks." };
      if (made.length === 0)
        return { toolCalls: [call("ask", "bash", { command: "touch asked.txt", description: "x" })] };
      notes.push(...conversation.results);
      return { text: "I went on." };
    },
    base,
    { teamTiming: { ...timing, questionMs: 150 }, interactive: true },
  );
  const sessionId = await site.open();
  const { asked, facts } = follow(site, sessionId);
  void site.prompt(sessionId, "parent go");
  await until(() => asked().length === 1);
  await until(() => facts.some((fact) => fact.type === "permission.answered"));
  expect(facts.find((fact) => fact.type === "permission.answered")).toMatchObject({
    reply: "reject",
    source: "timeout",
  });
  await until(() => notes.length > 0);
  expect(existsSync(join(site.project, "asked.txt"))).toBe(false);
});

test("a hook for TeammateIdle has it work on once, with the reason and the names", async () => {
  const said: string[] = [];
  site = await openAgentSite(
    (conversation) => {
      const made = madeIn(conversation);
      if (!conversation.prompt.startsWith("child"))
        return made.length === 0 ? teamOf({ prompt: "child rest" }) : { text: "It rests." };
      said.push(JSON.stringify(conversation.request.body.messages?.at(-1)));
      return { text: "Ready." };
    },
    {
      ...base,
      hooks: {
        TeammateIdle: [{ hooks: [{ type: "command", command: `${process.execPath} "$KEDGE_HOME/idle.mjs"` }] }],
      },
    },
    { teamTiming: timing },
  );
  const script = join(site.home, "idle.mjs");
  writeFileSync(
    script,
    `import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
const event = readFileSync(0, "utf8");
const seen = ${JSON.stringify(join(site.home, "seen.json"))};
if (existsSync(seen)) process.exit(0);
writeFileSync(seen, event);
process.stderr.write("Run the tests first.");
process.exit(2);
`,
  );
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent go");
  const event = JSON.parse(readFileSync(join(site.home, "seen.json"), "utf8"));
  expect(event).toMatchObject({ hook_event_name: "TeammateIdle", teammate_name: "one", team_name: "tea" });
  expect(said).toHaveLength(2);
  expect(said[1]).toContain("Run the tests first.");
});

test("a task that the leader gives to a teammate is its own, and it hears of it", async () => {
  site = await openAgentSite(
    (conversation) => {
      const made = madeIn(conversation);
      const said = JSON.stringify(conversation.request.body.messages);
      if (conversation.prompt.startsWith("child")) {
        const mine = /You have claimed task (t\d+)/.exec(said)?.[1];
        if (mine === undefined || made.includes("done")) return { text: "Ready." };
        return { toolCalls: [call("done", "task_update", { id: mine, status: "done", note: conversation.prompt })] };
      }
      if (made.length === 0)
        return {
          toolCalls: [
            call("create", "team_create", {
              name: "tea",
              members: ["one", "two"].map((name) => ({ name, prompt: `child ${name}` })),
            }),
            call("task", "task_create", { subject: "Part", description: "Do it.", blockedBy: [] }),
            call("give", "task_update", { id: "t1", owner: "two" }),
          ],
        };
      return { text: "Given." };
    },
    base,
    { teamTiming: timing },
  );
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent go");
  const { tasks } = JSON.parse(readFileSync(join(site.home, "teams/tea/tasks/tasks.json"), "utf8"));
  const given = (await site.facts(sessionId)).find(({ fact }) => fact.type === "tool.ended" && fact.callId === "give");
  // Whoever was quicker than the leader keeps it; then the leader hears so instead of taking it away.
  const wasFree = given?.fact.type === "tool.ended" && given.fact.outcome === "completed";
  expect(tasks).toMatchObject([{ status: "done", ...(wasFree && { owner: "two", notes: ["child two"] }) }]);
});

test("names that are taken, reserved or no names start nobody, also in one call", async () => {
  const told: string[] = [];
  site = await openAgentSite(
    (conversation) => {
      if (conversation.prompt.startsWith("child")) return { text: "Ready." };
      told.push(...conversation.results);
      const names = ["one", "one", "leader", "../x", "two"];
      const members = names.map((name) => ({ name, prompt: `child ${name}` }));
      return conversation.results.length > 0
        ? { text: "Done." }
        : { toolCalls: [call("create", "team_create", { name: "tea", members })] };
    },
    base,
    { teamTiming: timing },
  );
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent go");
  const [report = ""] = told;
  expect(report.match(/has started/g)).toHaveLength(2);
  expect(report).toContain("one was not started: one is already the name of an agent here.");
  expect(report).toContain("leader was not started");
  expect(report).toContain("../x was not started");
  const team = JSON.parse(readFileSync(join(site.home, "teams/tea/team.json"), "utf8"));
  expect(team.members.map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  expect((await site.allFacts(sessionId, "agent.ended")).map(({ status }) => status)).toEqual([
    "completed",
    "completed",
  ]);
});

test("mailboxes and tasks that somebody deletes or damages in mid-work end nobody", async () => {
  let isDamaged = false;
  site = await openAgentSite(
    (conversation) => {
      const said = JSON.stringify(conversation.request.body.messages);
      if (conversation.prompt.startsWith("child"))
        return { text: said.includes("Again, please.") ? "Again." : "Ready." };
      const made = madeIn(conversation);
      if (made.length === 0) return teamOf({ prompt: "child rest" });
      if (isDamaged && !made.includes("say"))
        return { toolCalls: [call("say", "send_message", { to: "one", message: "Again, please." })] };
      return { text: "Waiting." };
    },
    base,
    { teamTiming: timing, interactive: true },
  );
  const { home } = site;
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent go");
  const folder = join(home, "teams/tea");
  const mails = () =>
    site?.facts(sessionId).then((all) => all.filter(({ fact }) => fact.type === "mail.received").length);
  await until(() => readFileSync(join(folder, "team.json"), "utf8").includes('"waiting"'));
  rmSync(join(folder, "inboxes"), { recursive: true });
  mkdirSync(join(folder, "tasks"), { recursive: true });
  writeFileSync(join(folder, "tasks/tasks.json"), '{"tasks":[{"id":"t1","subj');
  isDamaged = true;
  await site.prompt(sessionId, "parent once more");
  const agentId = JSON.parse(readFileSync(join(folder, "team.json"), "utf8")).members[0].agentId;
  rmSync(join(folder, "tasks/tasks.json"));
  await expect
    .poll(async () =>
      (await site?.facts(agentId))?.some(({ fact }) => fact.type === "run.ended" && fact.text === "Again."),
    )
    .toBe(true);
  await expect.poll(mails).toBeGreaterThan(0);
});

test("in auto mode the classifier is waited for, and only what it does not allow reaches the leader, with the name", async () => {
  const judged: string[] = [];
  const held = Promise.withResolvers<void>();
  site = await openAgentSite(
    (conversation) => {
      const { raw } = conversation.request;
      if (raw.includes("You decide whether a coding agent may make one call")) {
        const isFirst = raw.includes("touch first.txt");
        judged.push(isFirst ? "first" : "second");
        const answer = {
          matches: isFirst,
          confidence: "high",
          matchedDescription: "x",
          verdict: isFirst ? "allow" : "ask",
        };
        return { text: JSON.stringify(answer), ...(!isFirst && { holdUntil: held.promise }) };
      }
      const made = madeIn(conversation);
      if (!conversation.prompt.startsWith("child"))
        return made.length === 0 ? teamOf({ prompt: "child marks" }) : { text: "It works." };
      const next = ["first", "second"].find((name) => !made.includes(name));
      return next === undefined
        ? { text: "Done." }
        : { toolCalls: [call(next, "bash", { command: `touch ${next}.txt`, description: "touch it" })] };
    },
    base,
    { teamTiming: timing, interactive: true },
  );
  const { kedge, project } = site;
  const sessionId = await site.open("auto");
  const { asked } = follow(site, sessionId);
  void site.prompt(sessionId, "parent go");
  await until(() => judged.includes("second"));
  expect(existsSync(join(project, "first.txt"))).toBe(true);
  expect(asked()).toEqual([]);
  held.resolve();
  await until(() => asked().length === 1);
  const [{ requestId, ...question } = { requestId: "" }] = asked();
  expect(question).toMatchObject({ tool: "bash", patterns: ["touch second.txt"], agent: { name: "one" } });
  expect(existsSync(join(project, "second.txt"))).toBe(false);
  await kedge.engine.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await until(() => existsSync(join(project, "second.txt")));
  expect(judged).toEqual(["first", "second"]);
});

test("a question of a teammate with its own worktree names the worktree, because its paths mean that one", async () => {
  site = await openAgentSite(
    (conversation) => {
      const made = madeIn(conversation);
      if (!conversation.prompt.startsWith("child"))
        return made.length === 0 ? teamOf({ prompt: "child writes", isolation: "worktree" }) : { text: "It works." };
      return made.length === 0
        ? { toolCalls: [call("write", "write", { filePath: "new.txt", content: "x\n" })] }
        : { text: "Done." };
    },
    base,
    { teamTiming: timing, interactive: true },
  );
  const { kedge, project } = site;
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, "commit", "--quiet", "--allow-empty", "-m", "Begin"], { cwd: project });
  const sessionId = await site.open();
  const { asked } = follow(site, sessionId);
  void site.prompt(sessionId, "parent go");
  await until(() => asked().length === 1);
  const [{ requestId, agent, evidence } = { requestId: "" }] = asked();
  const worktree = join(project, ".kedge/worktrees", `agent-${agent?.agentId.slice(-12)}`);
  expect(evidence).toContain(`It works in its own worktree: ${worktree}.`);
  await kedge.engine.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await until(() => existsSync(join(worktree, "new.txt")));
  expect(existsSync(join(project, "new.txt"))).toBe(false);
});

test.each(["default", "accept-edits", "bypass"] as const)(
  "in %s mode a team of more than three is estimated first, and a no starts nobody",
  async (mode) => {
    const usage = { input: 40_000, output: 1_000 };
    const members = ["one", "two", "three", "four"].map((name) => ({ name, prompt: `child ${name}` }));
    site = await openAgentSite(
      (conversation) => {
        const made = madeIn(conversation);
        if (conversation.prompt.startsWith("child")) return { text: "Ready." };
        if (made.length === 0) return { toolCalls: [call("look", "read", { filePath: "kept.txt" })], usage };
        return made.includes("create")
          ? { text: "Then not.", usage }
          : { toolCalls: [call("create", "team_create", { name: "tea", members })], usage };
      },
      { teams: base.teams, agents: { confirmUsd: 0.1 } },
      { teamTiming: timing, interactive: true, files: { "kept.txt": "kept\n" } },
    );
    const { kedge, home } = site;
    const sessionId = await site.open(mode);
    const { asked, facts } = follow(site, sessionId);
    const ended = site.prompt(sessionId, "parent go");
    await until(() => asked().length === 1);
    const [{ requestId, ...question } = { requestId: "" }] = asked();
    // Seven turns of this session for each of the four; the cost of the last one may not be known yet.
    expect(JSON.stringify(question)).toMatch(/4 agents at once will cost about \$(?:0\.57|1\.15)/);
    await kedge.engine.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, reply: "reject" });
    await ended;
    expect(facts.some(({ type }) => type === "agent.started")).toBe(false);
    expect(existsSync(join(home, "teams/tea"))).toBe(false);
  },
);
