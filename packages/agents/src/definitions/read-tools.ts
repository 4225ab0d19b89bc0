/** Reads the tools of a definition, in the spellings of every agent: lists, `Bash(git:*)`, and maps of switches. */
import { isJsonObject, type Json, type PermissionRule } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

const names: { readonly [spelling: string]: string } = JSON.parse(textBeside(import.meta.url, "./tool-names.json"));

export type ReadTools = {
  /** The only ones; absent where all are meant. */
  readonly tools?: readonly string[];
  readonly disallowed: readonly string[];
  /** A tool that is named for some uses alone is closed for all others. */
  readonly rules: readonly PermissionRule[];
  readonly notes: readonly string[];
  readonly disallowedNotes: readonly string[];
};

/** `tools` is a list, a text that is one, or a map of names to `true` and `false`. */
export function readTools(tools: Json | undefined, disallowed: Json | undefined): ReadTools {
  const notes: string[] = [];
  const closed = entriesOf(disallowed).map((entry) => nameOf(entry.name));
  // A slip here would leave a tool open that its author meant to close.
  const disallowedNotes = unknownIn(closed);
  const all = { disallowed: closed, disallowedNotes, rules: [], notes };
  if (isJsonObject(tools)) {
    const off = Object.entries(tools).flatMap(([name, value]) => (isOff(value) ? [nameOf(name)] : []));
    const on = Object.entries(tools).flatMap(([name, value]) => (isOff(value) ? [] : [nameOf(name)]));
    notes.push(...unknownIn([...off, ...on]));
    // A map with a star that is off names all that there is; any other map only switches some off.
    if (off.includes("*")) return { ...all, tools: on };
    return { ...all, disallowed: [...closed, ...off] };
  }
  if (tools === undefined || tools === null) return all;
  const entries = entriesOf(tools);
  if (entries.some(({ name }) => name === "*")) return all;
  if (entries.length === 0) notes.push("no tool is named, so it has none; leave the field out for all tools");
  const rules = entries.flatMap(({ name, uses }) => {
    if (uses === undefined || nameOf(name) === "agent") return [];
    if (nameOf(name) !== "bash") {
      notes.push(`the limit ${name}(${uses}) is not applied; the tool is offered under the usual rules`);
      return [];
    }
    return [limit(uses)];
  });
  notes.push(...unknownIn(entries.map(({ name }) => nameOf(name))));
  const isLimited =
    rules.length > 0 && !entries.some(({ name, uses }) => nameOf(name) === "bash" && uses === undefined);
  return {
    ...all,
    tools: [...new Set(entries.map(({ name }) => nameOf(name)))],
    rules: isLimited ? [{ permission: "bash", pattern: "*", action: "deny" }, ...rules] : [],
  };
}

/** `git:*` means every command that begins so. */
function limit(uses: string): PermissionRule {
  return { permission: "bash", pattern: uses.replace(/:\*$/, " *"), action: "ask" };
}

function isOff(value: Json): boolean {
  return value === false || value === "false" || value === "deny";
}

type Entry = { readonly name: string; readonly uses?: string };

function entriesOf(value: Json | undefined): readonly Entry[] {
  const texts = typeof value === "string" ? splitList(value) : Array.isArray(value) ? value : [];
  return texts.flatMap((text) => {
    const found = /^\s*([^\s()]+)\s*(?:\((.*)\))?\s*$/s.exec(String(text));
    const [, name, uses] = found ?? [];
    if (name === undefined) return [];
    return [uses === undefined || uses === "" ? { name } : { name, uses }];
  });
}

/** At commas outside of parentheses, or at spaces where there is none. */
function splitList(text: string): readonly string[] {
  const bare = text.replace(/^\s*\[|\]\s*$/g, "");
  const at = /,(?![^(]*\))/.test(bare) ? /,(?![^(]*\))/ : /\s+(?![^(]*\))/;
  return bare.split(at).flatMap((each) => each.trim().replace(/^["']|["']$/g, "") || []);
}

/** Names of MCP and custom tools are taken as they are. */
function nameOf(written: string): string {
  // The name of a server alone stands for all of its tools.
  if (written.startsWith("mcp__")) return /^mcp__(?:(?!__).)+$/.test(written) ? `${written}__*` : written;
  return names[written.toLowerCase().replaceAll(/[_-]/g, "")] ?? written;
}

const known: ReadonlySet<string> = new Set(Object.values(names));

function isKnown(name: string): boolean {
  return known.has(name) || name.startsWith("mcp__");
}

/** Names as they were read; a star stands for whatever there is. */
function unknownIn(tools: readonly string[]): readonly string[] {
  return tools.filter((name) => !isKnown(name) && !name.includes("*")).map(unknownTool);
}

function unknownTool(name: string): string {
  return `error: kedge has no tool ${JSON.stringify(name.slice(0, 64))}; it counts only if a custom tool has this name`;
}
