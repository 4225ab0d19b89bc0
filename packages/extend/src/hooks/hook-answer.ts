/** Reads what a hook answered: exit code, JSON, both, or neither. What cannot be understood is a problem, never a yes. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";
import type { Hook } from "./hook.ts";
import { hookEvents } from "./hook-events.ts";

export type HookAnswer = {
  readonly decision?: "allow" | "deny" | "ask";
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedPrompt?: string;
  readonly updatedOutput?: string;
  readonly isError?: boolean;
  /** What the server gets that asked a question. */
  readonly elicitation?:
    | { readonly action: "accept"; readonly content?: JsonObject }
    | { readonly action: "decline" | "cancel" };
  /** For the model, as data. */
  readonly context?: string;
  /** The run ends with this sentence. */
  readonly stop?: string;
  /** For the user. */
  readonly message?: string;
  /** What the session shall be called. */
  readonly title?: string;
  /** It wants to continue on its own, without anybody waiting. */
  readonly isAsync?: true;
  /** Something about the answer that its author should know. */
  readonly warning?: string;
};

export type ReadAnswer =
  | { readonly ok: true; readonly answer: HookAnswer }
  /** A sentence without a full stop, about the hook. */
  | { readonly ok: false; readonly problem: string };

/** What a process left behind. */
export type CommandEnd = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** There was more than is kept. */
  readonly isCut: boolean;
};

const blockingCode = 2;
/** The shell could not start what it was told to start. */
const notStartedCodes: ReadonlySet<number> = new Set([126, 127]);
const reasonCharactersMax = 10_000;

export function readCommandAnswer(hook: Hook, { exitCode, stdout, stderr, isCut }: CommandEnd): ReadAnswer {
  const said = stderr.trim().slice(0, reasonCharactersMax);
  if (notStartedCodes.has(exitCode)) {
    return { ok: false, problem: `its command could not be started (${said === "" ? `exit code ${exitCode}` : said})` };
  }
  const isBlocking = blocksBy(exitCode, hook);
  const printedAll = withoutProgress(stdout, hook).trim();
  const late = lateAnswer(printedAll);
  const text = late ?? printedAll;
  const isJson = text.startsWith("{");
  const read = isJson ? readJsonAnswer(hook, text) : plainAnswer(hook, text);
  // Some print the reason where others print their answer.
  const printed = isJson ? "" : text.slice(0, reasonCharactersMax);
  const deny = { decision: "deny", reason: [said, printed, "no reason given"].find(Boolean) ?? "" } as const;
  if (!read.ok) {
    if (isBlocking) return { ok: true, answer: deny };
    // What is left of an answer that was cut says nothing, so the exit code alone counts.
    return isCut ? { ok: true, answer: {} } : read;
  }
  if (isBlocking) {
    const { updatedInput: _, ...answer } = read.answer;
    return { ok: true, answer: { ...answer, ...deny, ...(said === "" && reasonOf(read.answer)) } };
  }
  if (exitCode === 0 && late === undefined) return read;
  if (exitCode === 0) return { ok: true, answer: { ...read.answer, warning: "it printed text before its JSON" } };
  const warning = `it exited with code ${exitCode}${said === "" ? "" : `: ${said}`}`;
  return { ok: true, answer: { ...read.answer, warning } };
}

/** What only an answer has, and no event that a hook prints for its log. */
const answerFields = /"(?:decision|permissionDecision|hookSpecificOutput|continue|behavior|stopReason)"\s*:/;

/** A shell that greets before the hook speaks must not take its answer away. */
function lateAnswer(text: string): string | undefined {
  if (text.startsWith("{") || !text.endsWith("}") || !answerFields.test(text)) return undefined;
  const start = text.search(/^\{/m);
  if (start === -1) return undefined;
  const rest = text.slice(start);
  try {
    const value: unknown = JSON.parse(rest);
    return isJsonObject(value) && Object.keys(value).some((key) => answerFields.test(`"${key}":`)) ? rest : undefined;
  } catch {
    return undefined;
  }
}

function blocksBy(exitCode: number, { event, dialect }: Hook): boolean {
  const { blockedByExit, refusedByFailure } = dialects[dialect];
  if (exitCode !== 0 && (hookEvents[event].failsByExit || refusedByFailure?.includes(event))) return true;
  return exitCode === blockingCode && (blockedByExit === undefined || blockedByExit.includes(event));
}

/** A line that is one whole object and calls itself progress. */
const progressLine = /^[^\S\n]*\{(?=[^\n]*"type"\s*:\s*"progress")[^\n]*\}[^\S\n]*$/gm;

function withoutProgress(stdout: string, { dialect }: Hook): string {
  return dialects[dialect].printsProgress === true ? stdout.replaceAll(progressLine, "") : stdout;
}

function reasonOf({ reason }: HookAnswer): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function plainAnswer({ event }: Hook, text: string): ReadAnswer {
  return { ok: true, answer: text !== "" && hookEvents[event].addsOutput ? { context: text } : {} };
}

export function readJsonAnswer(hook: Hook, text: string): ReadAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: "its output starts like JSON but is not valid" };
  }
  if (!isJsonObject(value)) return { ok: false, problem: "its response is not an object" };
  try {
    return { ok: true, answer: readFields(hook, value) };
  } catch (error) {
    if (error instanceof AnswerError) return { ok: false, problem: error.message };
    throw error;
  }
}

class AnswerError extends Error {}

type Fields = { readonly [name: string]: unknown };

const decisions: { readonly [word: string]: NonNullable<HookAnswer["decision"]> } = {
  allow: "allow",
  approve: "allow",
  deny: "deny",
  block: "deny",
  ask: "ask",
  // Somebody else shall decide, and here that is the user.
  defer: "ask",
};

function readFields(hook: Hook, fields: Fields): HookAnswer {
  const specific = specificOf(hook, fields);
  // PermissionRequest wraps its answer once more.
  const wrapped = specific.fields["decision"];
  const inner: Fields = isJsonObject(wrapped) ? wrapped : {};
  const all: readonly Fields[] = [inner, specific.fields, fields];
  const decision = decisionOf(all);
  const reason = textIn(all, ["permissionDecisionReason", "reason", "message"]);
  const updatedInput = objectIn(all, ["updatedInput", "modifiedArgs", "tool_input"]);
  const result = objectIn(all, ["modifiedResult"]);
  const output =
    valueIn(all, ["updatedOutput", "updatedToolOutput", "updatedMCPToolOutput", "tool_output"]) ??
    result?.["textResultForLlm"] ??
    result?.["text_result_for_llm"];
  // What this event adds is the place of a working copy.
  const context = textIn(all, [hook.event === "WorktreeCreate" ? "worktreePath" : "additionalContext"]);
  const updatedPrompt = textIn(all, ["updatedPrompt"]);
  const message = textIn([fields], ["systemMessage"]);
  const isError = flagIn(all, "isError") ?? (result?.["resultType"] === "failure" ? true : undefined);
  const goesOn = flagIn([fields], "continue");
  const interrupts = flagIn([inner], "interrupt") === true;
  const ends = goesOn === false || interrupts;
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(updatedPrompt !== undefined && { updatedPrompt }),
    ...(output !== undefined && { updatedOutput: typeof output === "string" ? output : JSON.stringify(output) }),
    ...(isError !== undefined && { isError }),
    ...elicitationIn(hook, specific.fields),
    ...(context !== undefined && { context }),
    ...(ends && { stop: textIn([fields], ["stopReason"]) ?? reason ?? "a hook stopped the run" }),
    ...(message !== undefined && { message }),
    ...titleIn(hook, all),
    ...(flagIn([fields], "async") === true && { isAsync: true as const }),
    ...warningIn(hook, specific, all),
  };
}

/** What other agents do with these fields, kedge does not; whoever relies on one should hear so. */
const unusedFields: readonly string[] = [
  ...["classifierContext", "displayContent", "initialUserMessage", "reloadSkills", "retry", "sessionTitle"],
  ...["terminalSequence", "updatedPermissions", "watchPaths"],
];

/** Events whose hooks may name the session. */
const namingEvents: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);

function titleIn({ event }: Hook, all: readonly Fields[]): Pick<HookAnswer, "title"> {
  const title = namingEvents.has(event) ? textIn(all, ["sessionTitle"]) : undefined;
  return title === undefined ? {} : { title };
}

function warningIn(
  { event }: Hook,
  specific: { readonly warning?: string },
  all: readonly Fields[],
): Pick<HookAnswer, "warning"> {
  if (valueIn(all, ["modifiedResponse"]) !== undefined)
    return { warning: "it cannot rewrite the answer of an agent (modifiedResponse)" };
  if (specific.warning !== undefined) return { warning: specific.warning };
  const isUsed = (name: string) => name === "sessionTitle" && namingEvents.has(event);
  const unused = unusedFields.filter((name) => !isUsed(name) && (valueIn(all, [name]) ?? false) !== false);
  if (unused.length === 0) return {};
  return { warning: `kedge does not use ${unused.join(" and ")} of its response` };
}

function elicitationIn({ event }: Hook, { action, content }: Fields): Pick<HookAnswer, "elicitation"> {
  if (action === undefined || (event !== "Elicitation" && event !== "ElicitationResult")) return {};
  if (action === "decline" || action === "cancel") return { elicitation: { action } };
  if (action !== "accept") throw new AnswerError("action in its answer is not accept, decline or cancel");
  if (content !== undefined && !isJsonObject(content))
    throw new AnswerError("content in its response is not an object");
  // Read from JSON, which holds nothing else.
  return { elicitation: { action, ...(content !== undefined && { content: content as JsonObject }) } };
}

function specificOf({ eventName, event }: Hook, { hookSpecificOutput: given }: Fields) {
  if (given === undefined || given === null) return { fields: {} };
  if (!isJsonObject(given)) throw new AnswerError("hookSpecificOutput in its response is not an object");
  const { hookEventName: name } = given;
  if (name === undefined) {
    return { fields: given, warning: `its response has no hookSpecificOutput.hookEventName; assuming ${eventName}` };
  }
  if (name !== eventName && name !== event) {
    throw new AnswerError(`its response is for the event ${JSON.stringify(name)}, not for ${eventName}`);
  }
  return { fields: given };
}

function decisionOf(all: readonly Fields[]): HookAnswer["decision"] {
  for (const fields of all) {
    const word = fields["permissionDecision"] ?? fields["behavior"] ?? fields["decision"];
    if (word === undefined || word === null || isJsonObject(word)) continue;
    const decision = typeof word === "string" && Object.hasOwn(decisions, word) ? decisions[word] : undefined;
    if (decision === undefined) throw new AnswerError(`its response has the unknown decision ${JSON.stringify(word)}`);
    return decision;
  }
  return undefined;
}

function valueIn(all: readonly Fields[], names: readonly string[]): unknown {
  // Languages that know no absent field write null.
  for (const fields of all)
    for (const name of names) if ((fields[name] ?? undefined) !== undefined) return fields[name];
  return undefined;
}

function textIn(all: readonly Fields[], names: readonly string[]): string | undefined {
  const value = valueIn(all, names);
  if (value === undefined || typeof value === "string") return value;
  throw new AnswerError(`${names[0]} in its response is not a string`);
}

function objectIn(all: readonly Fields[], names: readonly string[]): JsonObject | undefined {
  const value = valueIn(all, names);
  if (value === undefined) return undefined;
  // Parsed from JSON, so it holds nothing else.
  if (isJsonObject(value)) return value as JsonObject;
  throw new AnswerError(`${names[0]} in its response is not an object`);
}

function flagIn(all: readonly Fields[], name: string): boolean | undefined {
  const value = valueIn(all, [name]);
  if (value === undefined || typeof value === "boolean") return value;
  throw new AnswerError(`${name} in its response is not a boolean`);
}
