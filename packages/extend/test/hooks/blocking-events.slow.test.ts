/** Proves for every blocking event the four shapes of an answer: exit code, JSON, both, and one that is broken. */
import { afterEach, expect, test } from "vitest";
import { type HookedQuestion, hookEvents, type QuestionAnswer } from "../../src/hooks/index.ts";
import { callOf, endOf, type HookBed, openHookBed, passAfter, passBefore, signal } from "./hook-bed.ts";

let bed: HookBed | undefined;
afterEach(async () => {
  await bed?.close();
  bed = undefined;
});

const json = (decision: object) => `echo '${JSON.stringify(decision)}'`;

const shapes = {
  "exit code": "echo why >&2; exit 2",
  JSON: json({ decision: "block", reason: "why" }),
  both: `${json({ decision: "block", reason: "other" })}; echo why >&2; exit 2`,
  "JSON after a greeting": `echo Now using node v24; ${json({ decision: "block", reason: "why" })}`,
} as const;

const broken = [
  "echo '{'",
  json({ decision: "perhaps" }),
  "kill -9 $$",
  json({ decision: "deny", reason: 7 }),
] as const;

/** What came of the event: the reason why it was blocked, or `passed`. */
type Blocked = (bed: HookBed) => Promise<string>;

const task = (input: object) => ({ tool: "task_create", input: { ...input }, needs: [] });

const refusing: { readonly [event: string]: Blocked } = {
  PreToolUse: async (site) => reasonOf(await passBefore(site, callOf(site))),
  TaskCreated: async (site) => reasonOf(await passBefore(site, callOf(site, task({ subject: "a", description: "b" })))),
  TaskCompleted: async (site) =>
    reasonOf(
      await passBefore(site, callOf(site, { tool: "task_update", input: { id: "1", status: "done" }, needs: [] })),
    ),
  UserPromptSubmit: async ({ moment, place }) =>
    reasonOf(await moment.promptSubmitted?.({ ...place, promptId: "prm_1", runId: "run_1", text: "go" }, signal)),
  UserPromptExpansion: async ({ moment, place }) => {
    const command = { name: "init", argument: "" };
    const prompt = { ...place, promptId: "prm_1", runId: "run_1", text: "go", command };
    return reasonOf(await moment.promptSubmitted?.(prompt, signal));
  },
  PermissionRequest: async (site) => {
    await passBefore(site, callOf(site));
    const question = { ...site.place, callId: "c1", tool: "bash", input: {}, reason: "", grants: [] };
    return reasonOf(await site.moment.permissionAsked?.(question, signal));
  },
  PreCompact: async ({ moment, place }) =>
    reasonOf(await moment.compacting?.({ ...place, trigger: "manual", strategy: "summary" }, signal)),
  WorktreeCreate: async ({ session, place }) => {
    const { refusal } = await session.worktreeCreate({ sessionId: place.sessionId, name: "spike" }, signal);
    return refusal ?? "passed";
  },
};

test("a script that fails has made no working copy, whatever it printed before", async () => {
  bed = openHookBed({ WorktreeCreate: [{ hooks: [{ type: "command", command: "pwd; echo no space >&2; exit 1" }] }] });
  const wish = { sessionId: "ses_1", name: "spike" };
  expect(await bed.session.worktreeCreate(wish, signal)).toEqual({ refusal: "no space" });
});

const asked: HookedQuestion = {
  ...{ server: "small", callId: "c1", message: "Who?" },
  requested: { mode: "form", schema: { type: "object", properties: { name: { type: "string" } } } },
};

/** A question of a server has no place for a reason: it is declined, whoever would have answered. */
const declining: { readonly [event: string]: (bed: HookBed) => Promise<QuestionAnswer | undefined> } = {
  Elicitation: ({ session }) => session.elicitation.asked(asked, signal),
  ElicitationResult: ({ session }) =>
    session.elicitation.answered(asked, { action: "accept", content: { name: "Ada" } }, signal),
};

const answersOfQuestions = Object.entries(declining).flatMap(([event, answer]) =>
  [...Object.values(shapes), ...broken, json({ hookSpecificOutput: { action: "perhaps" } })].map((script) => ({
    ...{ event, script, answer },
  })),
);

test.each(answersOfQuestions)("$event is declined by $script", async ({ event, script, answer }) => {
  bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
  expect(await answer(bed)).toEqual({ action: "decline" });
});

test.each(Object.entries(declining))("%s leaves the answer where a hook says nothing", async (event, answer) => {
  for (const script of ["true", "echo oops >&2; exit 1", "echo '{}'", json({ hookSpecificOutput: { content: {} } })]) {
    bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
    expect(await answer(bed)).toBeUndefined();
    await bed.close();
  }
});

function reasonOf(answer: { readonly decision?: string; readonly text?: string } | undefined): string {
  return answer?.decision === "refuse" ? (answer.text ?? "") : "passed";
}

const cases = Object.entries(refusing).flatMap(([event, blocked]) =>
  Object.entries(shapes).map(([shape, script]) => ({ event, shape, script, blocked })),
);

test.each(cases)("$event is refused by $shape", async ({ event, script, blocked }) => {
  bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
  expect(await blocked(bed)).toMatch(/(^|: )why$/);
});

test.each(Object.entries(refusing).flatMap(([event, blocked]) => broken.map((script) => ({ event, script, blocked }))))(
  "$event is refused by a broken answer ($script)",
  async ({ event, script, blocked }) => {
    bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
    expect(await blocked(bed)).toContain("the hook failed: ");
    expect(bed.notices).toEqual([expect.stringContaining(`Hook settings.json ${event}[0].hooks[0] failed: `)]);
  },
);

test.each(Object.entries(refusing))(
  "%s passes a hook that says nothing, and one that ends with 1",
  async (event, blocked) => {
    const empty = json({ decision: null, reason: null, hookSpecificOutput: null });
    const failed = event === "WorktreeCreate" ? [] : ["echo oops >&2; exit 1"];
    for (const script of ["true", ...failed, "echo '{}'", empty, "echo Input:; cat"]) {
      bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
      expect(await blocked(bed)).toBe("passed");
      await bed.close();
    }
  },
);

const child = { kind: "child", sessionId: "ses_0" } as const;

const continuing: { readonly [event: string]: Blocked } = {
  Stop: async ({ moment, place }) => continued(await moment.runStopping?.({ ...place, ...stop }, signal)),
  SubagentStop: async ({ moment, place }) =>
    continued(await moment.runStopping?.({ ...place, origin: child, ...stop }, signal)),
  TeammateIdle: async ({ session }) => {
    const idle = { sessionId: "ses_2", teammate: "one", team: "tea" };
    return (await session.teammateIdle(idle, signal)) ?? "passed";
  },
};

const stop = { runId: "run_1", text: "done", continuations: 0 };

function continued(answer: { readonly text: string } | undefined): string {
  return answer?.text ?? "passed";
}

test.each(
  Object.entries(continuing).flatMap(([event, blocked]) =>
    Object.entries(shapes).map(([shape, script]) => ({ event, shape, script, blocked })),
  ),
)("$event makes the run continue by $shape", async ({ event, script, blocked }) => {
  bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
  expect(await blocked(bed)).toBe("why");
});

test.each(Object.entries(continuing))(
  "%s with a broken answer lets the run end, and the user is told",
  async (event, blocked) => {
    bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: "echo '{'" }] }] });
    expect([await blocked(bed), bed.notices]).toEqual(["passed", [expect.stringContaining("failed: ")]]);
  },
);

const telling: { readonly [event: string]: Blocked } = {
  PostToolUse: async (site) => notesOf(await passAfter(site, endOf(callOf(site)))),
  PostToolUseFailure: async (site) => notesOf(await passAfter(site, endOf(callOf(site), { outcome: "failed" }))),
  PostToolBatch: async ({ moment, place }) =>
    (await moment.callsEnded?.({ ...place, callIds: [] }, signal))?.context?.join() ?? "",
};

test("every event that can block is tried here", () => {
  const tried = [refusing, declining, continuing, telling].flatMap(Object.keys).toSorted();
  const blocking = Object.entries(hookEvents).flatMap(([event, { blocks }]) => (blocks === undefined ? [] : [event]));
  expect(tried).toEqual(blocking.toSorted());
});

function notesOf(answers: readonly { readonly note?: string }[]): string {
  return answers.map(({ note = "" }) => note).join("");
}

test.each(
  Object.entries(telling).flatMap(([event, blocked]) =>
    Object.entries(shapes).map(([shape, script]) => ({ event, shape, script, blocked })),
  ),
)("$event tells the model the reason by $shape", async ({ event, script, blocked }) => {
  bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: script }] }] });
  expect(await blocked(bed)).toContain("why");
});

test.each(Object.keys(telling))(
  "%s with a broken answer leaves the result, unless the hook fails closed",
  async (event) => {
    bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: "echo '{'" }] }] });
    expect(await telling[event]?.(bed)).not.toContain("failed");
    expect(bed.notices).toHaveLength(1);
  },
);
