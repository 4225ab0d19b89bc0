/** `kedge hooks`: lists what was captured, tries hooks with a sample, or runs those of one event. */
import { type Hook, type HookEvent, hookEvents, isHookEvent, sampleEvent } from "@kedge/extend/hooks";
import type { Json, JsonObject } from "@kedge/protocol";
import { hookLines, listHooks } from "./hook-list.ts";
import type { OpenedHooks } from "./open-hooks.ts";

export const hookActions = ["list", "doctor", "run"] as const;

export type HooksAnswer = { readonly text: string; readonly data: Json; readonly isFailure: boolean };

export type HooksWords = {
  readonly words: readonly string[];
  /** Fields of the event in the place of the sample's. */
  readonly fields: JsonObject;
  readonly cwd: string;
};

/** Undefined for words that are none of its own. `opened` is undefined where there is no hook. */
export async function runHooksWords(
  { words, fields, cwd }: HooksWords,
  opened: OpenedHooks | undefined,
): Promise<HooksAnswer | undefined> {
  const [action = "list", event, ...rest] = words;
  if (rest.length > 0) return undefined;
  if (action === "list" && event === undefined) return list(opened);
  if (action === "doctor" && event === undefined) return doctor(opened, cwd);
  if (action !== "run" || event === undefined) return undefined;
  if (!isHookEvent(event)) {
    const text = `${event} is not an event. Events: ${Object.keys(hookEvents).join(", ")}.`;
    return { text, data: { failure: text }, isFailure: true };
  }
  return run(event, { fields: sampleEvent(event, cwd, fields), cwd }, opened);
}

function list(opened: OpenedHooks | undefined): HooksAnswer {
  const hooks = listHooks(opened?.hooks ?? []);
  const problems = opened?.problems ?? [];
  const text = [hookLines(hooks), ...(problems.length > 0 ? ["", ...problems] : [])].join("\n");
  return { text, data: { hooks: hooks.map((hook) => ({ ...hook })), problems: [...problems] }, isFailure: false };
}

type Tried = { readonly hook: string; readonly ok: boolean; readonly says: string; readonly answer?: JsonObject };

async function doctor(opened: OpenedHooks | undefined, cwd: string): Promise<HooksAnswer> {
  const tried: Tried[] = [];
  for (const hook of opened?.hooks ?? []) tried.push(await tryHook(hook, opened, cwd));
  const problems = opened?.problems ?? [];
  const isFailure = problems.length > 0 || tried.some(({ ok }) => !ok);
  const lines = [...tried.map(lineOf), ...problems];
  const data = { hooks: tried.map((each) => ({ ...each })), problems: [...problems] };
  return { text: lines.length === 0 ? "No hooks." : lines.join("\n"), data, isFailure };
}

/** A question to a model costs money, so nobody is asked here. */
async function tryHook(hook: Hook, opened: OpenedHooks | undefined, cwd: string): Promise<Tried> {
  const { name, event, action } = hook;
  if (action.type === "prompt" || action.type === "agent")
    return { hook: name, ok: true, says: "skipped: it asks a model" };
  const fired = await opened?.tryOne(hook, {
    name: event,
    sessionId: "ses_sample",
    cwd,
    fields: sampleEvent(event, cwd),
  });
  return fired === undefined ? { hook: name, ok: true, says: "does not apply" } : triedOf(name, fired);
}

type OneResult = Awaited<ReturnType<OpenedHooks["tryOne"]>>;

function triedOf(name: string, result: OneResult): Tried {
  if (!result.ok) return { hook: name, ok: false, says: result.problem };
  const { decision, reason, warning } = result.answer;
  const says = [decision ?? "no objection", reason, warning].filter((part) => part !== undefined).join(": ");
  // Read from JSON, or made of texts and flags.
  return { hook: name, ok: warning === undefined, says, answer: { ...result.answer } as JsonObject };
}

function lineOf({ hook, ok, says }: Tried): string {
  return `${ok ? "ok  " : "FAIL"}  ${hook}  ${says}`;
}

async function run(
  event: HookEvent,
  { fields, cwd }: { readonly fields: JsonObject; readonly cwd: string },
  opened: OpenedHooks | undefined,
): Promise<HooksAnswer> {
  const results = (await opened?.tryEvent({ name: event, sessionId: "ses_sample", cwd, fields })) ?? [];
  const tried = results.map(({ hook, result }) => triedOf(hook.name, result));
  const text = tried.length === 0 ? `No hook runs for this ${event}.` : tried.map(lineOf).join("\n");
  return { text, data: { event, results: tried.map((each) => ({ ...each })) }, isFailure: tried.some(({ ok }) => !ok) };
}
