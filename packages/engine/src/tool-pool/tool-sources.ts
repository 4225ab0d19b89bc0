/** The tools that the sources of one session offer now: built-ins first, each part sorted, no name twice. */
import type { OpenToolSource, SessionProfile, Tool, ToolSource } from "@kedge/protocol";
import { startUnheldTimer } from "../unheld-timer.ts";
import { isDeferrable } from "./deferral.ts";

export type ToolListing = {
  /** By name: sorted built-ins, then sorted others. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  readonly leftOut: readonly LeftOutTool[];
};

export type ListedTool = {
  readonly tool: Tool;
  readonly isBuiltIn: boolean;
  /** It may stay out of requests until the model searches for it. */
  readonly isDeferrable: boolean;
};

export type LeftOutTool = { readonly name: string; readonly source: string; readonly why: string };

/** What the engine itself adds to requests under these names. A replay has what they did among its built-ins. */
const reservedNames = ["tool_search", "structured_output"];

/** As long as a server may take to be loaded, to connect and to list its tools. */
const pendingMsMax = 60_000;

/** What every vendor takes. One other name would have the whole request refused. */
const namePattern = /^[\w-]{1,64}$/;

/** Whether what is known by now will do, so that nobody waits for the slowest source. */
export type IsEnough = () => boolean | Promise<boolean>;

export interface SessionSources {
  list(): ToolListing;
  /** Names of the sources whose tools are not known yet. */
  pending(): readonly string[];
  /**
   * When those that say so are known, or as many of them as `isEnough`, which is asked after each of them; undefined
   * where there is nothing to wait for and nothing new.
   */
  settled(signal: AbortSignal, isEnough: IsEnough): Promise<void> | undefined;
  /** The word of the first source that knows why it has no such tool. */
  whyMissing(tool: string): string | undefined;
  /** True once after a source told of a change. */
  takeChange(): boolean;
  close(): void;
}

export type SourcesProfile = Pick<SessionProfile, "toolSources" | "toolNames" | "excludedTools">;

export function openToolSources(
  { toolSources, toolNames, excludedTools = [] }: SourcesProfile,
  session: { readonly sessionId: string },
  onFailed: (source: string, error: unknown) => void = () => undefined,
): SessionSources {
  let isChanged = false;
  const onChanged = () => {
    isChanged = true;
  };
  const open = builtInsFirst(toolSources).map((source) => openSource(source, session, { onChanged, onFailed }));
  const isNamed = toolNames === undefined ? () => false : namedBy(toolNames);
  const isExcluded = namedBy(excludedTools);
  const isWanted = (tool: Tool) => (toolNames === undefined || isNamed(tool)) && !isExcluded(tool);
  return {
    list: () => listTools(open, { isWanted, isNamed }),
    pending: () => open.filter((source) => source.isPending()).map(({ name }) => name),
    settled(signal, isEnough) {
      const waiting = open.filter((source) => source.isPending()).flatMap(({ settled }) => settled?.() ?? []);
      if (waiting.length > 0) return untilSettled(waiting, { signal, isEnough });
      // One that connected since the last list is no longer pending, and not in that list.
      return isChanged ? Promise.resolve() : undefined;
    },
    whyMissing: (tool) => open.map((source) => source.whyMissing(tool)).find((why) => why !== undefined),
    takeChange() {
      const was = isChanged;
      isChanged = false;
      return was;
    },
    close() {
      for (const source of open) source.close();
    },
  };
}

/** The tools that a new session with this profile would be offered. */
export function offeredTools(profile: SourcesProfile & Pick<SessionProfile, "interactive">): readonly Tool[] {
  const sources = openToolSources(profile, { sessionId: "" });
  const { tools } = sources.list();
  sources.close();
  return [...tools.values()].flatMap(({ tool }) => (isAnswerable(tool, profile) ? [tool] : []));
}

/** Where nobody can answer, the model is not told of tools that ask. One that it calls all the same says so. */
export function isAnswerable({ asksPerson }: Tool, { interactive }: Pick<SessionProfile, "interactive">): boolean {
  return interactive || !asksPerson;
}

/** A name that ends in a star stands for all that begin so, such as the tools of one server. */
function namedBy(names: readonly string[]): (tool: Tool) => boolean {
  const lower = names.map((name) => name.toLowerCase());
  const whole = new Set(lower);
  const beginnings = lower.flatMap((name) => (name.length > 1 && name.endsWith("*") ? [name.slice(0, -1)] : []));
  return (tool) =>
    whole.size > 0 &&
    toolNamesOf(tool).some((name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning)));
}

/** All names of a tool, in small letters. */
export function toolNamesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases].map((each) => each.toLowerCase());
}

type Wait = { readonly signal: AbortSignal; readonly isEnough: IsEnough };

/** The wait ends with the time or the call, whatever the sources do. */
function untilSettled(waiting: readonly Promise<unknown>[], { signal, isEnough }: Wait): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = startUnheldTimer(resolve, pendingMsMax);
  let isOver = false;
  const look = async () => {
    if (!isOver && (await isEnough())) resolve();
  };
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([
    Promise.all(waiting.map((each) => each.then(look))).then(() => undefined),
    promise,
    ...(signal.aborted ? [Promise.resolve()] : []),
  ]).finally(() => {
    isOver = true;
    stop();
    signal.removeEventListener("abort", onAbort);
  });
}

function builtInsFirst(sources: readonly ToolSource[]): readonly ToolSource[] {
  const isBuiltIn = ({ kind }: ToolSource) => kind === "built-in";
  return [...sources.filter(isBuiltIn), ...sources.filter((source) => !isBuiltIn(source))];
}

type NamedSource = Required<Pick<OpenToolSource, "tools" | "isPending" | "whyMissing">> &
  Pick<OpenToolSource, "settled"> &
  Pick<ToolSource, "name" | "kind"> & { close(): void };

type SourceListeners = {
  readonly onChanged: () => void;
  readonly onFailed: (source: string, error: unknown) => void;
};

/** A source that fails keeps the tools it had; the session goes on without what it would add. */
function openSource(
  source: ToolSource,
  session: { readonly sessionId: string },
  { onChanged, onFailed }: SourceListeners,
): NamedSource {
  const { name, kind } = source;
  let last: readonly Tool[] = [];
  function attempt<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      onFailed(name, error);
      return undefined;
    }
  }
  const opened = attempt(() => {
    const given = source.open(session);
    if (typeof given?.tools !== "function") throw new Error("it has none");
    return given;
  });
  const stop = attempt(() => opened?.subscribe?.(onChanged));
  return {
    name,
    kind,
    tools() {
      if (opened !== undefined) last = attempt(() => [...opened.tools()].filter(isNamed)) ?? last;
      return last;
    },
    isPending: () => attempt(() => opened?.isPending?.() === true) ?? false,
    ...(opened?.settled !== undefined && {
      settled: async () => attempt(() => opened.settled?.())?.catch((error) => onFailed(name, error)),
    }),
    whyMissing: (tool) => attempt(() => opened?.whyMissing?.(tool)),
    close: () => attempt(() => stop?.()),
  };
}

function isNamed(tool: Tool | null | undefined): tool is Tool {
  return typeof tool?.name === "string";
}

type Choice = { readonly isWanted: (tool: Tool) => boolean; readonly isNamed: (tool: Tool) => boolean };

/**
 * A second tool of one name would take the place of one that people know and have rules for. Models write names in
 * other cases, so these are no other names.
 */
function listTools(sources: readonly NamedSource[], { isWanted, isNamed }: Choice): ToolListing {
  const taken = new Set<string>();
  const leftOut: LeftOutTool[] = [];
  const builtIns: ListedTool[] = [];
  const others: ListedTool[] = [];
  for (const source of sources) {
    const isBuiltIn = source.kind === "built-in";
    if (!isBuiltIn) for (const name of reservedNames) taken.add(name);
    const tools = source.tools();
    for (const tool of tools) {
      const { name } = tool;
      const leave = (why: string) => leftOut.push({ name, source: source.name, why });
      if (!namePattern.test(name)) leave("a name has up to 64 letters, digits, underscores and hyphens");
      else if (taken.has(name.toLowerCase())) leave("another tool has that name");
      else if (isWanted(tool)) {
        const mayWait = isDeferrable(tool, source.kind, { isNamed: isNamed(tool) });
        (isBuiltIn ? builtIns : others).push({ tool, isBuiltIn, isDeferrable: mayWait });
      }
      taken.add(name.toLowerCase());
    }
    for (const name of tools.flatMap(toolNamesOf)) taken.add(name);
  }
  const listed = [...builtIns.sort(byName), ...others.sort(byName)];
  return { tools: new Map(listed.map((entry) => [entry.tool.name, entry])), leftOut };
}

function byName({ tool: left }: ListedTool, { tool: right }: ListedTool): number {
  return left.name < right.name ? -1 : 1;
}
