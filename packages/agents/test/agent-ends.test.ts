/** The end of an agent is stored once and frees its place, although steps of the cleaning up fail. */
import { type Event, emptySession, type Fact, refused, type SessionProfile } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createAgentTable } from "../src/definitions/agent-table.ts";
import { type AgentSessions, createAgentRuns, type OpenAgentSession } from "../src/runs/index.ts";
import { agentSettingsDefault } from "../src/settings.ts";

type ListedJob = ReturnType<OpenAgentSession["jobs"]["list"]>[number];

test("a job that cannot be killed and a worktree that cannot be left are told, and all other steps are taken", async () => {
  const steps: string[] = [];
  const notices: string[] = [];
  const recorded: Fact[] = [];
  const listeners = new Map<string, (event: Event) => void>();
  const running = (jobId: string) => ({ jobId, status: "running" }) as ListedJob;

  function sessionOf(sessionId: string): OpenAgentSession {
    const profile = { rules: [], prompt: {}, interactive: false } as unknown as SessionProfile;
    return {
      state: emptySession(sessionId),
      profile,
      jobs: {
        list: () => (sessionId === "ses_leader" ? [] : [running("job_stuck"), running("job_other")]),
        async kill(jobId) {
          steps.push(`kill ${jobId}`);
          if (jobId === "job_stuck") throw new Error("not permitted");
          return undefined;
        },
      },
      prefix: async () => refused("no"),
      knownFiles: () => [],
      async record(...facts) {
        recorded.push(...facts);
        return true;
      },
      tell: () => undefined,
      wake: () => steps.push("wake"),
    };
  }

  const leader = sessionOf("ses_leader");
  const open = new Map([["ses_leader", leader]]);
  let ids = 0;
  const sessions: AgentSessions = {
    newId: () => {
      ids += 1;
      return `ses_${ids}`;
    },
    now: () => 0,
    find: (sessionId) => open.get(sessionId),
    open: () => [...open.values()],
    stored: async () => undefined,
    async create({ agentId }) {
      open.set(agentId, sessionOf(agentId));
      return { ok: true, value: {} };
    },
    resume: async () => refused("Nothing is continued here."),
    async submit(sessionId) {
      const fact = { type: "run.ended", runId: "run_1", reason: "completed", text: "Done." };
      // Not before whoever starts it follows it.
      queueMicrotask(() => listeners.get(sessionId)?.({ kind: "fact", record: { fact } } as unknown as Event));
      return { ok: true, value: {} };
    },
    interrupt: async () => undefined,
    async close(agentId) {
      steps.push("close");
      open.delete(agentId);
      return { ok: true, value: {} };
    },
    subscribe(sessionId, listener) {
      listeners.set(sessionId, listener);
      return () => void listeners.delete(sessionId);
    },
  };
  const runs = createAgentRuns({
    sessions,
    table: async () => createAgentTable([]),
    settings: { ...agentSettingsDefault, maxParallel: 1 },
    newSources: async () => [],
    ruleAgainst: () => undefined,
    onRound: async () => undefined,
    modelFor: async (_, parentModel) => parentModel,
    withoutHooks: (profile) => profile,
    openWorktree: async (_, profile) => ({
      ok: true,
      value: {
        profile,
        notice: "",
        async leave() {
          steps.push("leave worktree");
          throw new Error("git is gone");
        },
      },
    }),
    startTimer: () => () => undefined,
    onNotice: (sentence) => notices.push(sentence),
  });
  const order = { agent: "general", prompt: "Work.", description: "Work", isolation: "worktree" } as const;
  // The second one needs the place of the first.
  for (const isBackground of [true, false]) {
    const started = await runs.start(
      { ...order, ...(isBackground && { isBackground }) },
      { sessionId: "ses_leader" },
      new AbortController().signal,
    );
    if (!started.ok) throw new Error(started.failure.message);
    expect(await started.value.ended).toMatchObject({ status: "completed", result: "Done." });
  }
  expect(recorded.map(({ type }) => type)).toEqual(["agent.started", "agent.ended", "agent.started", "agent.ended"]);
  const kills = ["kill job_stuck", "kill job_other"];
  expect(steps.filter((step) => step !== "close").slice(0, 6)).toEqual([...kills, "leave worktree", ...kills, "wake"]);
  await expect.poll(() => steps.filter((step) => step === "close")).toHaveLength(2);
  expect(new Set(notices)).toEqual(
    new Set(
      ["ses_1", "ses_2"].flatMap((id) => [
        `Agent ${id} has ended, but stopping job_stuck failed: not permitted`,
        `Agent ${id} has ended, but leaving its worktree failed: git is gone`,
      ]),
    ),
  );
});
