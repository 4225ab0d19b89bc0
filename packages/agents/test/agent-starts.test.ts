/** What a start that cannot be stored leaves behind: no place that others wait for, no name, and no worktree. */
import { emptySession, FailureError, refused, type SessionProfile } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createAgentTable } from "../src/definitions/agent-table.ts";
import { type AgentSessions, createAgentRuns, type OpenAgentSession } from "../src/runs/index.ts";
import { agentSettingsDefault } from "../src/settings.ts";

const full = new FailureError({ code: "storage", message: "The disk is full.", retryable: false });

function openRuns(left: string[]) {
  const leader: OpenAgentSession = {
    state: emptySession("ses_leader"),
    // Nothing of it is looked at before the start is stored.
    profile: {} as SessionProfile,
    jobs: { list: () => [], kill: async () => undefined },
    prefix: async () => refused("no"),
    knownFiles: () => [],
    record: () => Promise.reject(full),
    tell: () => undefined,
    wake: () => undefined,
  };
  let ids = 0;
  const never = async () => refused("Nothing starts here.");
  const sessions: AgentSessions = {
    newId: () => {
      ids += 1;
      return `ses_${ids}`;
    },
    now: () => 0,
    find: (sessionId) => (sessionId === "ses_leader" ? leader : undefined),
    open: () => [leader],
    stored: async () => undefined,
    ...{ create: never, resume: never, submit: never, close: never },
    interrupt: async () => undefined,
    subscribe: () => () => undefined,
  };
  return createAgentRuns({
    sessions,
    table: async () => createAgentTable([]),
    settings: { ...agentSettingsDefault, maxParallel: 1 },
    newSources: async () => [],
    ruleAgainst: () => undefined,
    onRound: async () => undefined,
    modelFor: async (_, parentModel) => parentModel,
    withoutHooks: (profile) => profile,
    openWorktree: async (agentId, profile) => ({
      ok: true,
      value: {
        profile,
        notice: "",
        async leave() {
          left.push(agentId);
          return undefined;
        },
      },
    }),
    startTimer: () => () => undefined,
    onNotice: () => undefined,
  });
}

test("each of several starts fails with the reason, and none waits for the place of another", async () => {
  const left: string[] = [];
  const runs = openRuns(left);
  const order = { agent: "general", prompt: "Work.", description: "Work", name: "worker" } as const;
  const { signal } = new AbortController();
  const parent = { sessionId: "ses_leader" };
  for (const isolation of [{}, { isolation: "worktree" as const }, {}])
    await expect(runs.start({ ...order, ...isolation }, parent, signal)).rejects.toThrow("The disk is full.");
  expect(left).toEqual(["ses_2"]);
});
