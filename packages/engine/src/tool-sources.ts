/** The tools that the sources of one session offer now: built-ins first, each part sorted, no name twice. */
import type { OpenToolSource, SessionProfile, Tool, ToolSource } from "@kedge/protocol";

export type ToolListing = {
  /** By name: sorted built-ins, then sorted others. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** Those left out because an earlier source has a tool of that name. */
  readonly clashes: readonly ToolClash[];
};

export type ListedTool = { readonly tool: Tool; readonly isBuiltIn: boolean };

export type ToolClash = { readonly name: string; readonly source: string };

export interface SessionSources {
  list(): ToolListing;
  /** True once after a source told of a change. */
  takeChange(): boolean;
  close(): void;
}

export type SourcesProfile = Pick<SessionProfile, "toolSources" | "toolNames">;

export function openToolSources(
  { toolSources, toolNames }: SourcesProfile,
  session: { readonly sessionId: string },
): SessionSources {
  const open = builtInsFirst(toolSources).map(({ name, kind, open }) => ({ name, kind, ...open(session) }));
  let isChanged = false;
  const subscriptions = open.flatMap(({ subscribe }) => subscribe?.(() => (isChanged = true)) ?? []);
  const wanted = toolNames === undefined ? undefined : new Set(toolNames.map((name) => name.toLowerCase()));
  const isWanted = (tool: Tool) => wanted === undefined || toolNamesOf(tool).some((name) => wanted.has(name));
  return {
    list: () => listTools(open, isWanted),
    takeChange() {
      const was = isChanged;
      isChanged = false;
      return was;
    },
    close() {
      for (const stop of subscriptions) stop();
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

/** All names of a tool, in small letters. */
export function toolNamesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases].map((each) => each.toLowerCase());
}

function builtInsFirst(sources: readonly ToolSource[]): readonly ToolSource[] {
  const isBuiltIn = ({ kind }: ToolSource) => kind === "built-in";
  return [...sources.filter(isBuiltIn), ...sources.filter((source) => !isBuiltIn(source))];
}

type NamedSource = OpenToolSource & Pick<ToolSource, "name" | "kind">;

/** A second tool of one name would take the place of one that people know and have rules for. */
function listTools(sources: readonly NamedSource[], isWanted: (tool: Tool) => boolean): ToolListing {
  const taken = new Set<string>();
  const clashes: ToolClash[] = [];
  const builtIns: ListedTool[] = [];
  const others: ListedTool[] = [];
  for (const source of sources) {
    const isBuiltIn = source.kind === "built-in";
    for (const tool of source.tools()) {
      if (taken.has(tool.name)) clashes.push({ name: tool.name, source: source.name });
      else if (isWanted(tool)) (isBuiltIn ? builtIns : others).push({ tool, isBuiltIn });
      taken.add(tool.name);
    }
    for (const { aliases = [] } of source.tools()) for (const alias of aliases) taken.add(alias);
  }
  const listed = [...builtIns.sort(byName), ...others.sort(byName)];
  return { tools: new Map(listed.map((entry) => [entry.tool.name, entry])), clashes };
}

function byName({ tool: left }: ListedTool, { tool: right }: ListedTool): number {
  return left.name < right.name ? -1 : 1;
}
