/** Reads the hooks of every configuration into one list. What cannot be used is named and left out. */
import { isJsonObject } from "@kedge/protocol";
import type { Dialect } from "./dialects/dialect.ts";
import { dialectOfEvents, dialects } from "./dialects/dialects.ts";
import type { Hook, HookProblem, HookSource } from "./hook.ts";
import { type HookEvent, hookEvents, isHookEvent } from "./hook-events.ts";
import { readMatcher } from "./matcher.ts";
import { readAction } from "./read-action.ts";

export type ReadHooks = { readonly hooks: readonly Hook[]; readonly problems: readonly HookProblem[] };

const timeoutMsDefault = 600_000;
const askTimeoutsMs = { prompt: 30_000, agent: 60_000 };
/** Nobody waits a day for a hook. */
const timeoutMsMax = 24 * 3_600_000;

/** What settings of Gemini CLI and Codex keep beside the events. */
const otherKeys: ReadonlySet<string> = new Set(["enabled", "disabled", "notifications", "state"]);

/** In the order of the sources, with managed hooks last. Frozen: nothing changes them while a session lives. */
export function readHooks(sources: readonly HookSource[]): ReadHooks {
  const hooks: Hook[] = [];
  const problems: HookProblem[] = [];
  const ordered = [...sources.filter(({ scope }) => scope !== "managed"), ...sources.filter(isManaged)];
  for (const source of ordered) readSource(source, { hooks, problems });
  return { hooks: deepFreeze(hooks), problems };
}

function isManaged({ scope }: HookSource): boolean {
  return scope === "managed";
}

type Found = { readonly hooks: Hook[]; readonly problems: HookProblem[] };

function readSource(given: HookSource, { hooks, problems }: Found): void {
  const { file } = given;
  const report = (sentence: string) => problems.push({ file, sentence: `${file}: ${sentence}` });
  if (!isJsonObject(given.hooks)) {
    report("hooks must be an object with a list for each event.");
    return;
  }
  const isShared = given.plugin !== undefined && given.dialect !== "kedge";
  const source = isShared ? { ...given, dialect: dialectOfEvents(given.hooks, given.dialect) } : given;
  const dialect = dialects[source.dialect];
  for (const [eventName, groups] of Object.entries(given.hooks)) {
    if (Array.isArray(groups) && groups.length > 0) readGroups(eventName, groups, { source, hooks, report });
    else if (eventOf(eventName, dialect) === undefined) reportUnknown(eventName, report);
    else if (!Array.isArray(groups)) report(`hooks.${eventName} must be a list.`);
  }
}

type Report = (sentence: string) => void;

function reportUnknown(eventName: string, report: Report): void {
  if (otherKeys.has(eventName)) return;
  const plain = plainName(eventName);
  const meant = Object.keys(hookEvents).find(
    (event) => plainName(event) === plain || plainName(event) === `${plain}use`,
  );
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  report(`${eventName} is not a known event; its hooks never run.${hint}`);
}

/** `post_tool_use` and `postToolUse` are meant to be the same. */
function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z]/g, "").toLowerCase();
}

type Reading = { readonly source: HookSource; readonly hooks: Hook[]; readonly report: Report };

function readGroups(eventName: string, groups: readonly unknown[], { source, hooks, report }: Reading): void {
  let isReported = false;
  for (const [index, group] of groups.entries()) {
    const at = `${eventName}[${index}]`;
    const dialect = dialectFor(eventName, dialectOf(group, source));
    const event = dialect === undefined ? undefined : eventOf(eventName, dialect);
    if (dialect === undefined)
      report(`${at} is not used: dialect must be one of ${named.map(({ id }) => id).join(", ")}.`);
    else if (event === undefined && !isReported) reportUnknown(eventName, report);
    isReported ||= dialect !== undefined && event === undefined;
    if (dialect === undefined || event === undefined) continue;
    for (const entry of entriesOf(group, at)) {
      const read = readEntry({ ...entry, event, eventName }, source, dialect);
      if (typeof read === "string") report(`${entry.at} is not used: ${read}.`);
      else hooks.push(read);
      const rule = typeof read === "string" ? undefined : ruleInMatcher(read.matcher);
      if (rule !== undefined)
        report(
          `${entry.at} never runs: its matcher is a permission rule. Use matcher "${rule}" and put the rule in if.`,
        );
      if (isJsonObject(entry.fields) && entry.fields["asyncRewake"] === true)
        report(`${entry.at} runs like one with async: kedge does not wake the model for asyncRewake.`);
    }
  }
}

/** A dialect that only the names of events select is not among those that a group can name. */
const named = Object.values(dialects).filter(({ id }) => id !== "copilot-claude");

/** In kedge's own settings a group may name the agent that its hooks were written for; undefined for an unknown one. */
function dialectOf(group: unknown, { dialect }: HookSource): Dialect | undefined {
  const wanted = dialect === "kedge" && isJsonObject(group) ? group["dialect"] : undefined;
  if (wanted === undefined) return dialects[dialect];
  return named.find(({ id }) => id === wanted);
}

/** Where an agent reads two ways of naming, the name of the event says which. */
function dialectFor(eventName: string, dialect: Dialect | undefined): Dialect | undefined {
  const other = dialect?.ofOurEvents;
  return other !== undefined && isHookEvent(eventName) ? dialects[other] : dialect;
}

function eventOf(name: string, { events }: Dialect): HookEvent | undefined {
  if (Object.hasOwn(events, name)) return events[name];
  return isHookEvent(name) ? name : undefined;
}

/** The tool of a rule such as `Bash(git push:*)`, which as a regular expression is the name of no tool. */
function ruleInMatcher(matcher: string | undefined): string | undefined {
  return /^([A-Z]\w*)\((?:[^()|]*[\s:][^()|]*)\)$/.exec(matcher ?? "")?.[1];
}

type Entry = { readonly at: string; readonly matcher: unknown; readonly fields: unknown };

/** A group with a matcher and its hooks, or a hook that stands alone. */
function entriesOf(group: unknown, at: string): readonly Entry[] {
  if (!isJsonObject(group)) return [{ at, matcher: undefined, fields: group }];
  const { matcher, hooks, if: condition } = group;
  if (hooks === undefined) return [{ at, matcher, fields: group }];
  // One hook without the list around it, and a condition that stands beside the matcher.
  const withCondition = (fields: unknown) =>
    condition !== undefined && isJsonObject(fields) ? { if: condition, ...fields } : fields;
  if (!Array.isArray(hooks)) return [{ at: `${at}.hooks`, matcher, fields: withCondition(hooks) }];
  return hooks.map((fields, index) => ({ at: `${at}.hooks[${index}]`, matcher, fields: withCondition(fields) }));
}

type PlacedEntry = Entry & { readonly event: HookEvent; readonly eventName: string };

/** The sentence, without a full stop, says why it cannot be used. */
function readEntry(entry: PlacedEntry, source: HookSource, dialect: Dialect): Hook | string {
  const { at, event, eventName, fields } = entry;
  if (!isJsonObject(fields)) return "it must be an object with a type";
  const own = readAction(fields);
  if (typeof own === "string") return own;
  if (own.type === "prompt" && dialect.submitsPrompts === true) return "prompts that a hook submits are not supported";
  const action =
    own.type === "command" && source.plugin !== undefined
      ? { ...own, environment: { ...own.environment, ...source.plugin.environment } }
      : own;
  const matcher = matcherOf(entry, source, dialect);
  if (matcher.problem !== undefined) return matcher.problem;
  const { if: condition } = fields;
  if (condition !== undefined && typeof condition !== "string") return "if must be a permission rule";
  const timeoutMs = timeoutOf(fields, { event, type: action.type }, dialect);
  if (timeoutMs === undefined) return `${dialect.timeout.field} must be a positive number`;
  return {
    name: `${source.file} ${at}`,
    event,
    eventName,
    dialect: dialect.id,
    scope: source.scope,
    file: source.file,
    ...(matcher.text !== undefined && { matcher: matcher.text }),
    ...(condition !== undefined && { condition }),
    timeoutMs,
    action,
    once: fields["once"] === true,
    isAsync: fields["async"] === true || fields["asyncRewake"] === true,
    failClosed: fields["failClosed"] === true,
    redacts: fields["redacts"] === true,
    wantsTranscript: fields["transcript"] === true || dialect.wantsTranscript === true,
  };
}

/** A managed hook whose matcher is broken concerns everything: it is there to protect. */
function matcherOf(entry: PlacedEntry, { scope }: HookSource, { matcherIsPattern, matcherIsWhole }: Dialect) {
  const { event, matcher: given } = entry;
  if (given === undefined || given === null || hookEvents[event].matches === undefined) return {};
  const isNames = Array.isArray(given) && given.length > 0 && given.every((name) => /^[\w-]+$/.test(String(name)));
  const matcher = isNames ? given.join("|") : given;
  const reading = { isPattern: matcherIsPattern === true, isWhole: matcherIsWhole === true };
  const isSound = typeof matcher === "string" && readMatcher(matcher, reading) !== undefined;
  if (isSound) return { text: matcher };
  if (scope === "managed") return {};
  return { problem: `its matcher ${JSON.stringify(matcher)} is neither a name nor a regular expression` };
}

function timeoutOf(
  fields: { readonly [name: string]: unknown },
  { event, type }: { readonly event: HookEvent; readonly type: Hook["action"]["type"] },
  { timeout }: Dialect,
): number | undefined {
  const written = fields[timeout.field] ?? (timeout.otherField === undefined ? undefined : fields[timeout.otherField]);
  const given = typeof written === "string" && /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : written;
  const isAsking = type === "prompt" || type === "agent";
  const { timeoutMs: ofEvent } = hookEvents[event];
  const usual = isAsking ? askTimeoutsMs[type] : (ofEvent ?? timeout.defaultMs ?? timeoutMsDefault);
  if (given === undefined || given === null) return usual;
  if (typeof given !== "number" || !(given > 0)) return undefined;
  return Math.min(given * timeout.unitMs, timeoutMsMax);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
