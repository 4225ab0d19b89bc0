/** The tools of one session: what its requests carry, in an order that only grows, and how a call finds its tool. */
import {
  type EditMode,
  type Model,
  nearNames,
  type SessionProfile,
  type SessionState,
  type Tool,
  type ToolSchema,
} from "@kedge/protocol";
import { isToolDenied } from "../permission/index.ts";
import { createCarriedSchemas, type PoolEntry, schemaOf } from "./carried-schemas.ts";
import { exceedsLimit, isWorthDeferring, type ToolSearchMode } from "./deferral.ts";
import { createToolSearch } from "./tool-search.ts";
import { type IsEnough, isAnswerable, type ListedTool, openToolSources, toolNamesOf } from "./tool-sources.ts";

const nearNamesMax = 5;
const none: readonly string[] = [];

export interface ToolPool {
  /** What the next request carries in this edit mode; the same array until a tool joins. */
  schemas(editMode: EditMode): readonly ToolSchema[];
  find(name: string): Tool | undefined;
  /**
   * Waits for the tools of sources that are still pending, for a call that names none of those known, until `isEnough`
   * says that what came will do; undefined where there is nothing to wait for.
   */
  awaitPending(signal: AbortSignal, isEnough: IsEnough): Promise<void> | undefined;
  /** For a model that named a tool that there is not: why, or what there is instead. */
  describeMissing(name: string): string;
  /** True while no request has carried its schema, because the model has not searched for it. */
  isUndiscovered(tool: Tool): boolean;
}

export interface SessionPool extends ToolPool {
  /** The same tools and one more, behind all others that there are at its first request. */
  with(tool: Tool): ToolPool;
  /** Rules may have changed since the last run. */
  runStarts(): void;
  /** Takes in what the sources changed since the last step, and names the tools that joined every request by it. */
  stepStarts(model: Model): readonly string[];
  /** All that may be called now; the same array until a tool comes or goes. */
  offered(): readonly Tool[];
  /** Those of them that requests carry only once the model has found them; the same array as long. */
  deferred(): readonly Tool[];
  runEnded(): void;
  close(): void;
}

export type ToolPoolParts = {
  readonly profile: Pick<SessionProfile, "toolSources" | "toolNames" | "excludedTools" | "interactive" | "rules">;
  readonly state: Pick<SessionState, "sessionId" | "foundTools" | "addedTools">;
  /** Always without it. */
  readonly searchMode?: ToolSearchMode;
  /** Told once of each tool that is left out and of each source that failed, in a sentence for the user. */
  readonly onProblem: (sentence: string) => void;
};

export function createToolPool({ profile, state, onProblem, searchMode = "always" }: ToolPoolParts): SessionPool {
  const told = new Set<string>();
  const tellOnce = (sentence: string) => {
    if (told.size < told.add(sentence).size) onProblem(sentence);
  };
  /** Sources are opened before anybody listens to the session. */
  const failures: string[] = [];
  const sources = openToolSources(profile, state, (source, error) => {
    const why = error instanceof Error ? error.message : String(error);
    failures.push(`Could not list tools of ${source}: ${why.replace(/\.$/, "")}.`);
  });
  const entries = new Map<string, PoolEntry>();
  const byLooseName = new Map<string, Tool>();
  const search = createToolSearch({
    ...{ offered, deferred, awaitPending },
    ...{ pending: sources.pending, whyMissing: sources.whyMissing },
  });
  let isDeferring = searchMode !== "off";
  /** The one of the last step. */
  let model: Model | undefined;
  let isListed = false;
  let isSent = false;
  /** Joined since the last step. */
  let added: readonly string[] = none;
  let offeredTools: readonly Tool[] | undefined;
  let deferredTools: readonly Tool[] | undefined;
  const carried = createCarriedSchemas({ profile, state, entries: () => current() });

  const isDenied = (name: string) => isToolDenied(name, profile.rules);

  /** With the search, which is missing where every tool is in the request already. */
  function listTools(): readonly ListedTool[] {
    const { tools, leftOut } = sources.list();
    for (const sentence of failures.splice(0)) tellOnce(sentence);
    for (const { name, source, why } of leftOut) {
      tellOnce(`Skipped tool ${name.slice(0, 100)} of ${source}: ${why}.`);
    }
    const listed = [...tools.values()];
    if (!isDeferring || !isSent) isDeferring = isWorthwhile(listed);
    const isSearched =
      isDeferring &&
      (listed.some((each) => each.isDeferrable && !isDenied(each.tool.name)) || sources.pending().length > 0);
    if (!isSearched && !entries.has(search.name)) return listed;
    const at = listed.findIndex(({ tool, isBuiltIn }) => !isBuiltIn || tool.name > search.name);
    const found: ListedTool = { tool: search, isBuiltIn: true, isDeferrable: false };
    return listed.toSpliced(at === -1 ? listed.length : at, 0, found);
  }

  function isWorthwhile(listed: readonly ListedTool[]): boolean {
    const deferrable = listed.flatMap((each) => (each.isDeferrable ? each.tool : []));
    const isWorth = isWorthDeferring({ mode: searchMode, deferrable, count: listed.length, model });
    if (isWorth && searchMode === "off" && exceedsLimit(listed.length, model)) {
      tellOnce(
        `${listed.length} tools exceed the limit of ${model?.ref} (${model?.toolsMax}). Some are available through tool_search.`,
      );
    }
    return isWorth;
  }

  /** What was sent keeps its place and its words; what is new comes last. */
  function refresh(): void {
    isListed = true;
    if (!isSent) {
      entries.clear();
      carried.forget();
    }
    const listed = new Map(listTools().map((entry) => [entry.tool.name, entry]));
    for (const [name, { sent, isDeferred }] of entries) {
      const tool = listed.get(name)?.tool;
      entries.set(name, { sent, tool: tool ?? goneTool(sent), isGone: tool === undefined, isDeferred });
    }
    for (const [name, { tool, isDeferrable }] of listed) {
      if (entries.has(name) || isDenied(name)) continue;
      const isDeferred = isDeferring && isDeferrable;
      entries.set(name, { sent: tool, tool, isGone: false, isDeferred });
      if (isSent && !isDeferred && isAnswerable(tool, profile)) added = [...added, name];
    }
    offeredTools = undefined;
    deferredTools = undefined;
    byLooseName.clear();
    for (const { tool } of entries.values()) {
      for (const name of toolNamesOf(tool)) if (!byLooseName.has(name)) byLooseName.set(name, tool);
    }
    carried.toolsChanged();
  }

  function current(): ReadonlyMap<string, PoolEntry> {
    if (!isListed) refresh();
    return entries;
  }

  function offered(): readonly Tool[] {
    const all = current();
    offeredTools ??= [...all.values()]
      .filter(({ tool, isGone }) => !isGone && isAnswerable(tool, profile) && !isDenied(tool.name))
      .map(({ tool }) => tool);
    return offeredTools;
  }

  function deferred(): readonly Tool[] {
    deferredTools ??= offered().filter(({ name }) => entries.get(name)?.isDeferred);
    return deferredTools;
  }

  const isUndiscovered = ({ name }: Tool) => current().get(name)?.isDeferred === true && !state.foundTools.has(name);
  const find = (name: string) => current().get(name)?.tool ?? byLooseName.get(name.toLowerCase());
  const describeMissing = (name: string) => sources.whyMissing(name) ?? describeUnknown(name, offered());

  /** What comes by it stands behind all that was sent, as what comes between two steps does. */
  function awaitPending(signal: AbortSignal, isEnough: IsEnough): Promise<void> | undefined {
    const look = () => {
      refresh();
      return isEnough();
    };
    return sources.settled(signal, look)?.then(refresh);
  }

  return {
    schemas: carried.schemas,
    find,
    awaitPending,
    describeMissing,
    isUndiscovered,
    with: (tool) => withTool({ ...carried, find, awaitPending, describeMissing, isUndiscovered }, tool),
    offered,
    deferred,
    runStarts: refresh,
    stepStarts(next) {
      const isOther = searchMode !== "always" && model !== next;
      model = next;
      if (sources.takeChange() || isOther) refresh();
      isSent = true;
      const joined = added;
      added = none;
      return joined;
    },
    runEnded() {
      for (const { tool } of entries.values()) tool.runEnded?.();
    },
    close: () => sources.close(),
  };
}

function describeUnknown(name: string, offered: readonly Tool[]): string {
  const names = offered.map(({ name: known }) => known);
  const near = nearNames(name, names, { countMax: nearNamesMax, anyHow: true });
  return `There is no tool named ${name}. The closest are: ${near.join(", ")}.`;
}

/** The same tools and one more, which stands behind all that there are at its first request. */
function withTool(pool: ToolPool, tool: Tool): ToolPool {
  const own = schemaOf(tool);
  /** Tools that come while the run is under way stand behind it. */
  let at: number | undefined;
  let extended: { readonly from: readonly ToolSchema[]; readonly schemas: readonly ToolSchema[] } | undefined;
  return {
    ...pool,
    schemas(editMode) {
      const from = pool.schemas(editMode);
      at ??= from.length;
      if (extended?.from !== from) extended = { from, schemas: from.toSpliced(at, 0, own) };
      return extended.schemas;
    },
    find: (name) => (name === tool.name ? tool : pool.find(name)),
  };
}

/** Stands in the place of a tool whose source no longer has it: the request still carries it, and every call fails. */
function goneTool({ name, description, inputSchema, resultCharactersMax }: Tool): Tool {
  const report = `There is no tool named ${name} any more: it was removed while this session ran. Continue without it.`;
  return {
    ...{ name, description, inputSchema, resultCharactersMax },
    parse: () => ({ ok: false, report }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: report, isError: true, title: name }),
  };
}
