/** A team in one process, with real sessions: tasks are shared, words arrive in order, and everybody ends once. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type AgentSite, type Conversation, openAgentSite } from "../agents/agent-site.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const timing = { pollMs: 20, shutdownMs: 200 };
const settings = { teams: { backend: "in-process" }, permission: { team: "allow", send_message: "allow" } };

const call = (id: string, name: string, input: object): MockTurn => ({ toolCalls: [{ id, name, input }] });

function createTeam(...names: readonly string[]): MockTurn {
  const members = names.map((name) => ({ name, prompt: `child ${name}` }));
  return call("create", "team_create", { name: "tea", members });
}

/** Takes every task that it is given, and says so. */
function worker({ prompt, results, request }: Conversation): MockTurn {
  const said = JSON.stringify(request.body.messages);
  const claimed = [...said.matchAll(/You have claimed task (t\d+)/g)].map(([, id]) => id);
  const last = claimed.at(-1);
  if (last !== undefined && results.length < claimed.length)
    return call(`done-${last}`, "task_update", { id: last, status: "done", note: prompt });
  return { text: `${prompt} is ready.` };
}

test("two teammates share three tasks, the leader hears of it, and everybody has one end", async () => {
  let leaderSteps = 0;
  site = await openAgentSite(
    (conversation) => {
      if (conversation.prompt.startsWith("child")) return worker(conversation);
      leaderSteps += 1;
      if (conversation.results.length === 0) {
        const tasks = [1, 2, 3].map((number) => ({
          id: `task-${number}`,
          name: "task_create",
          input: { subject: `Part ${number}`, description: `Do part ${number}.` },
        }));
        return { toolCalls: [...(createTeam("one", "two").toolCalls ?? []), ...tasks] };
      }
      return { text: "The team works." };
    },
    settings,
    { teamTiming: timing },
  );
  const { home, kedge } = site;
  const sessionId = await site.open();
  const ended = await site.prompt(sessionId, "parent go");
  expect(ended.reason).toBe("completed");
  const team = JSON.parse(readFileSync(join(home, "teams/tea/team.json"), "utf8"));
  expect(team.endedAt).toBeTypeOf("number");
  expect(team.members.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`).toSorted()).toEqual(
    ["one ended", "two ended"],
  );
  const { tasks } = JSON.parse(readFileSync(join(home, "teams/tea/tasks/tasks.json"), "utf8"));
  expect(tasks.map(({ status }: { status: string }) => status)).toEqual(["done", "done", "done"]);
  for (const { notes } of tasks) expect(notes).toHaveLength(1);
  const facts = (await site.facts(sessionId)).map(({ fact }) => fact);
  const starts = facts.filter((fact) => fact.type === "agent.started");
  const ends = facts.filter((fact) => fact.type === "agent.ended");
  expect(ends.map((end) => end.agentId).toSorted()).toEqual(starts.map((start) => start.agentId).toSorted());
  expect(ends.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(leaderSteps).toBeGreaterThan(1);
  expect(existsSync(join(home, "data/tasks"))).toBe(false);
  expect(await kedge.teams()).toBeDefined();
});
