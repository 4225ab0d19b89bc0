/** Proves how answers of several hooks about one call come together, and what they may change. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readHooks } from "../../src/hooks/index.ts";
import { callOf, endOf, type HookBed, openHookBed, passAfter, passBefore, signal } from "./hook-bed.ts";

let bed: HookBed | undefined;
afterEach(async () => {
  await bed?.close();
  bed = undefined;
});

const say = (answer: object) => ({ type: "command", command: `echo '${JSON.stringify(answer)}'` });
const decide = (permissionDecision: string, rest: object = {}) =>
  say({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: permissionDecision,
      ...rest,
    },
  });
const pre = (...hooks: readonly object[]) => ({ PreToolUse: [{ matcher: "Bash", hooks }] });

test.each([
  [["allow", "ask", "deny"], "refuse"],
  [["allow", "ask"], "ask"],
  [["allow", "defer"], "ask"],
  [["allow", "allow"], "allow"],
] as const)("%j together are %s", async (decisions, expected) => {
  bed = openHookBed(pre(...decisions.map((decision) => decide(decision))));
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: expected });
});

test("reasons of all that deny are shown with their names", async () => {
  bed = openHookBed(pre(decide("deny"), { type: "command", command: "echo never >&2; exit 2" }));
  expect(await passBefore(bed, callOf(bed))).toEqual({
    decision: "refuse",
    by: "2 hooks",
    text: "hook settings.json PreToolUse[0].hooks[0]: deny\nhook settings.json PreToolUse[0].hooks[1]: never",
  });
});

test("changes apply in order, managed last, and go back to kedge's own fields", async () => {
  const change = (command: string) =>
    decide("allow", { updatedInput: { file_path: `/tmp/${command}`, content: command } });
  bed = openHookBed({ PreToolUse: [{ matcher: "Write", hooks: [change("a"), change("b")] }] });
  const call = callOf(bed, { tool: "write", input: { filePath: "x", content: "" }, needs: [] });
  expect(await passBefore(bed, call)).toMatchObject({ decision: "allow", input: { filePath: "/tmp/b", content: "b" } });
});

test("identical hooks run once, and a hook with once runs once in a session", async () => {
  const log = { type: "command", command: "echo x >> log" };
  bed = openHookBed(pre(log, log, { type: "command", command: "echo y >> log", once: true }));
  await passBefore(bed, callOf(bed));
  await passBefore(bed, callOf(bed, { callId: "c2" }));
  expect(readFileSync(join(bed.root, "log"), "utf8").split("\n").toSorted().join("")).toBe("xxy");
});

test("a guard of edits sees every way to change a file, once for each file", async () => {
  bed = openHookBed({
    PreToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "cat >> log; echo >> log" }] }],
  });
  const write = { permission: "edit", patterns: [], always: [], access: "write", paths: ["a.ts", "b.ts"] } as const;
  await passBefore(bed, callOf(bed, { tool: "apply_patch", input: { patch: "*** Begin" }, needs: [write] }));
  const seen = readFileSync(join(bed.root, "log"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(seen.map(({ tool_name: name, tool_input: input }) => [name, input.file_path]).toSorted()).toEqual([
    ["Edit", join(bed.root, "a.ts")],
    ["Edit", join(bed.root, "b.ts")],
  ]);
});

test("a changed input of a tool that has no counterpart there is refused, never guessed", async () => {
  bed = openHookBed({
    PreToolUse: [{ matcher: "Edit", hooks: [decide("allow", { updatedInput: { file_path: "x" } })] }],
  });
  const write = { permission: "edit", patterns: [], always: [], access: "write", paths: ["a.ts"] } as const;
  const answer = await passBefore(bed, callOf(bed, { tool: "edit_lines", input: {}, needs: [write] }));
  expect(answer).toMatchObject({ decision: "refuse", text: expect.stringContaining("cannot be followed") });
});

test("outputs are rewritten one after the other, redacting hooks first", async () => {
  const rewrite = (command: string, redacts = false) => ({ type: "command", command, redacts });
  const append = (mark: string) =>
    `python3 -c 'import json,sys; e=json.load(sys.stdin); print(json.dumps({"updatedOutput": e["tool_response"]["content"]+"${mark}"}))'`;
  bed = openHookBed({
    PostToolUse: [{ hooks: [rewrite(append("a")), rewrite(append("b")), rewrite(append("r"), true)] }],
  });
  const answers = await passAfter(bed, endOf(callOf(bed)));
  expect(answers.map(({ output }) => output)).toEqual(["doner", "donerab"]);
  expect(bed.session.callPhases.map(({ redacts = false }) => redacts)).toEqual([false, true, false]);
});

test("a redacting hook that fails withholds the result", async () => {
  bed = openHookBed({ PostToolUse: [{ hooks: [{ type: "command", command: "echo '{'", redacts: true }] }] });
  const [answer] = await passAfter(bed, endOf(callOf(bed)));
  expect(answer?.output).toContain("withheld");
});

test("continue:false ends the run, before and after a call", async () => {
  const halt = say({ continue: false, stopReason: "enough" });
  bed = openHookBed({ PreToolUse: [{ hooks: [halt] }], PostToolUse: [{ hooks: [halt] }] });
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: "refuse", text: "enough" });
  expect(await passAfter(bed, endOf(callOf(bed), { outcome: "refused" }))).toMatchObject([{ endRun: "enough" }]);
  expect(await passAfter(bed, endOf(callOf(bed, { callId: "c2" })))).toMatchObject([{ endRun: "enough" }]);
});

test("additional context reaches the model as data, and isError says who set it", async () => {
  bed = openHookBed({
    PostToolUse: [
      {
        hooks: [
          say({ isError: true, hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "lint fails" } }),
        ],
      },
    ],
  });
  const [answer] = await passAfter(bed, endOf(callOf(bed)));
  expect(answer).toMatchObject({ isError: true });
  expect(answer?.note).toContain('<untrusted-data source="hook"');
  expect(answer?.note).toContain("counts as failed");
});

test("a hook without hookEventName counts with a warning, and one for another event is refused", async () => {
  bed = openHookBed(pre(say({ hookSpecificOutput: { permissionDecision: "deny" } })));
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: "refuse" });
  expect(bed.notices.join()).toContain("assuming PreToolUse");
  await bed.close();
  bed = openHookBed(pre(say({ hookSpecificOutput: { hookEventName: "Stop", permissionDecision: "allow" } })));
  expect(await passBefore(bed, callOf(bed))).toMatchObject({
    decision: "refuse",
    text: expect.stringContaining("not for PreToolUse"),
  });
});

test("a field that has no effect here is named once, and the rest of the answer counts", async () => {
  const specific = { hookEventName: "PreToolUse", permissionDecision: "allow", watchPaths: ["a"], sessionTitle: "x" };
  bed = openHookBed(pre(say({ hookSpecificOutput: specific })));
  for (let round = 0; round < 2; round += 1)
    expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: "allow" });
  expect(bed.notices).toEqual([
    expect.stringContaining("kedge does not use sessionTitle and watchPaths of its response"),
  ]);
});

test("a hook that takes too long is ended with all it started, and refuses", async () => {
  bed = openHookBed(pre({ type: "command", command: "sleep 300 & echo $! > pid; wait", timeout: 1 }));
  expect(await passBefore(bed, callOf(bed))).toMatchObject({
    text: expect.stringContaining("did not respond within 1 s"),
  });
  const pid = Number(readFileSync(join(bed.root, "pid"), "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("an interruption ends a hook at once", async () => {
  bed = openHookBed(pre({ type: "command", command: "echo $$ > pid; sleep 300" }));
  const stop = new AbortController();
  const waiting = bed.session.callPhases[0]?.before?.(callOf(bed), stop.signal);
  await expect.poll(() => bed !== undefined && pidIn(bed.root) > 0).toBe(true);
  stop.abort();
  await waiting;
  await expect.poll(() => bed !== undefined && isAlive(pidIn(bed.root))).toBe(false);
});

function pidIn(root: string): number {
  try {
    return Number(readFileSync(join(root, "pid"), "utf8"));
  } catch {
    return 0;
  }
}

test("more than 1 MB of output is cut, and the exit code alone counts", async () => {
  bed = openHookBed(
    pre({
      type: "command",
      command: `printf '{"decision":"block","reason":"'; head -c 2000000 /dev/zero | tr '\\0' x`,
    }),
  );
  expect(await passBefore(bed, callOf(bed))).toBeUndefined();
});

test("a hook that does not read what it is told is none the worse for it", async () => {
  bed = openHookBed(pre({ type: "command", command: "exec 0<&-; exit 0" }));
  const input = { command: "x".repeat(300_000) };
  expect(await passBefore(bed, callOf(bed, { input }))).toBeUndefined();
});

test("a question to a model that says no blocks; one that fails does not, unless it fails closed", async () => {
  const asked: string[] = [];
  const verdicts = [
    { ok: true, isGood: false, reason: "no tests" },
    { ok: false, problem: "no answer" },
    { ok: false, problem: "no answer" },
  ] as const;
  for (const [index, verdict] of verdicts.entries()) {
    const hook = { type: "prompt", prompt: "Are there tests? $ARGUMENTS", failClosed: index === 2 };
    bed = openHookBed(pre(hook), {
      parts: {
        askModel: async ({ prompt }) => {
          asked.push(prompt);
          return verdict;
        },
      },
    });
    const answer = await passBefore(bed, callOf(bed));
    expect(answer?.decision).toBe(index === 1 ? undefined : "refuse");
    await bed.close();
  }
  expect(asked[0]).toContain('"command":"make"');
});

test("an agent's hook and an async hook are what they are declared to be", async () => {
  const kinds: string[] = [];
  bed = openHookBed(
    pre({ type: "agent", prompt: "x" }, { type: "command", command: "touch late; exit 2", async: true }),
    {
      parts: {
        askModel: async ({ kind, timeoutMs }) => {
          kinds.push(`${kind} ${timeoutMs}`);
          return { ok: true, isGood: true };
        },
      },
    },
  );
  expect(await passBefore(bed, callOf(bed))).toBeUndefined();
  await bed.session.close();
  expect([kinds, readFileSync(join(bed.root, "late"), "utf8")]).toEqual([["agent 60000"], ""]);
});

test("a condition decides by the rules of permissions", async () => {
  const asked: string[] = [];
  bed = openHookBed(pre({ ...decide("deny"), if: "Bash(git *)" }), {
    parts: {
      matchesRule: (rule) => {
        asked.push(rule);
        return false;
      },
    },
  });
  expect([await passBefore(bed, callOf(bed)), asked]).toEqual([undefined, ["Bash(git *)"]]);
});

test("managed hooks come last whatever the order of files, and nothing can change what was captured", () => {
  const group = [{ hooks: [{ type: "command", command: "true" }] }];
  const source = (scope: "managed" | "user") =>
    ({ dialect: "kedge", scope, file: scope, hooks: { Stop: group } }) as const;
  const { hooks } = readHooks([source("managed"), source("user")]);
  expect(hooks.map(({ scope }) => scope)).toEqual(["user", "managed"]);
  expect(() => Object.assign(hooks[0]?.action ?? {}, { command: "evil" })).toThrow();
  expect(signal.aborted).toBe(false);
});

test("a hook that acknowledges with async continues without anybody waiting", async () => {
  bed = openHookBed(pre({ type: "command", command: `echo '{"async": true}'; sleep 0.5; touch late; exit 2` }));
  expect(await passBefore(bed, callOf(bed))).toBeUndefined();
  await expect.poll(() => bed !== undefined && existsSync(join(bed.root, "late"))).toBe(true);
});

test("a child session is a subagent: it has a start and a stop of its own, and no prompt of a user", async () => {
  const log = [{ hooks: [{ type: "command", command: "cat >> log; echo >> log" }] }];
  bed = openHookBed({
    SessionStart: log,
    SubagentStart: log,
    SubagentStop: log,
    Stop: log,
    UserPromptSubmit: log,
    SessionEnd: log,
  });
  const child = { ...bed.place, origin: { kind: "child", sessionId: "ses_0" } } as const;
  await bed.moment.sessionStarted?.({ ...child, source: "create" }, signal);
  await bed.moment.promptSubmitted?.({ ...child, promptId: "p", runId: "r", text: "work" }, signal);
  await bed.moment.runStopping?.({ ...child, runId: "r", text: "done", continuations: 0 }, signal);
  await bed.moment.sessionEnded?.(child, signal);
  const names = readFileSync(join(bed.root, "log"), "utf8").match(/"hook_event_name":"(\w+)"/g);
  expect(names).toEqual(['"hook_event_name":"SubagentStart"', '"hook_event_name":"SubagentStop"']);
});
