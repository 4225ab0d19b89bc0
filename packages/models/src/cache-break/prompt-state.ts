/** What a vendor's cache depends on apart from the conversation, and in which parts two requests differ in it. */
import type { ModelRequest, ServerTool, ToolSchema } from "@kedge/protocol";

/** What a wire adds to a request that is not in it: kept as text, because only being equal matters. */
export type CallExtra = {
  /** The tier of speed that was asked for. */
  readonly speed?: string;
  readonly betaHeaders?: string;
  /** How long the vendor is asked to keep its cache, and for whom. */
  readonly ttl?: string;
  readonly extraBody?: string;
};

/** Holds what the request held, not copies: nothing is compared or written out until a break asks for it. */
export type PromptState = Pick<
  ModelRequest,
  "model" | "system" | "systemTail" | "tools" | "serverTools" | "reasoning"
> &
  CallExtra;

export function promptState(request: ModelRequest, extra: CallExtra): PromptState {
  const { model, system, systemTail, tools, serverTools, reasoning } = request;
  return {
    ...extra,
    model,
    system,
    ...(systemTail !== undefined && { systemTail }),
    tools,
    ...(serverTools !== undefined && { serverTools }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

const namesShownMax = 8;

/** The first part that differs, in the order in which vendors build their prefix; undefined when none does. */
export function differenceOf(before: PromptState, after: PromptState): string | undefined {
  if (before.model.id !== after.model.id) return "the model changed";
  if (before.speed !== after.speed) return "the speed changed";
  if (before.system !== after.system) return "the system prompt changed";
  if (before.systemTail !== after.systemTail) return "the session's part of the system prompt changed";
  const tools = toolDifference(before, after);
  if (tools !== undefined) return tools;
  if (before.betaHeaders !== after.betaHeaders) return "the beta headers changed";
  if (effortText(before) !== effortText(after)) return "the reasoning effort changed";
  if (before.ttl !== after.ttl) return "the lifetime or scope of the cache changed";
  return before.extraBody === after.extraBody ? undefined : "extra request fields changed";
}

function toolDifference(before: PromptState, after: PromptState): string | undefined {
  if (before.tools === after.tools && before.serverTools === after.serverTools) return undefined;
  const old = toolTexts(before);
  const current = toolTexts(after);
  const added = [...current.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !current.has(name));
  const changed = [...current].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : []));
  const groups = [nameGroup("added", added), nameGroup("removed", removed), nameGroup("changed", changed)];
  const differing = groups.filter((group) => group !== "").join("; ");
  if (differing !== "") return `tools ${differing}`;
  const isReordered = [...current.keys()].join("\n") !== [...old.keys()].join("\n");
  return isReordered ? "the order of the tools changed" : undefined;
}

function nameGroup(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = names.slice(0, namesShownMax).join(", ");
  return `${what}: ${shown}${names.length > namesShownMax ? ` and ${names.length - namesShownMax} more` : ""}`;
}

function toolTexts({ tools, serverTools = [] }: PromptState): ReadonlyMap<string, string> {
  const own = tools.map((tool) => [tool.name, toolText(tool)] as const);
  return new Map([...own, ...serverTools.map((tool) => [tool.name, serverToolText(tool)] as const)]);
}

function toolText({ description, inputSchema }: ToolSchema): string {
  return `${description}\n\n${JSON.stringify(inputSchema, undefined, 2)}\n`;
}

function serverToolText({ usesMax }: ServerTool): string {
  return `runs at the provider, at most ${usesMax} times\n`;
}

function effortText({ reasoning }: PromptState): string {
  if (reasoning === undefined) return "left to the model";
  const { effort = "left to the model", tokensMax } = reasoning;
  return tokensMax === undefined ? effort : `${effort}, at most ${tokensMax} tokens`;
}

export type PromptSection = { readonly name: string; readonly text: string };

/** The state as texts a person can read and compare, one per part. */
export function promptSections(state: PromptState): readonly PromptSection[] {
  const { model, speed = "", betaHeaders = "", ttl = "", extraBody = "" } = state;
  const parameters = [
    `model: ${model.ref} (${model.id})`,
    `speed: ${speed}`,
    `beta headers: ${betaHeaders}`,
    `effort: ${effortText(state)}`,
    `cache: ${ttl}`,
    `extra body: ${extraBody}`,
    `tools: ${[...toolTexts(state).keys()].join(", ")}`,
  ];
  return [
    { name: "parameters", text: `${parameters.join("\n")}\n` },
    { name: "system", text: state.system },
    { name: "system-tail", text: state.systemTail ?? "" },
    ...[...toolTexts(state)].map(([name, text]) => ({ name: `tools/${name}`, text })),
  ];
}
