/** The query language of tool search: names, a server's prefix, or words. */

export type ToolQuery =
  | { readonly kind: "select"; readonly names: readonly string[] }
  /** Every tool whose name begins so. */
  | { readonly kind: "prefix"; readonly prefix: string }
  /** `required` stand in every result; `prefix` keeps to one server. */
  | {
      readonly kind: "words";
      readonly words: string;
      readonly required: readonly string[];
      readonly prefix: string;
    };

const selectMark = "select:";
const serverMark = "mcp__";

/** A query that is the name of a tool selects it. */
export function readQuery(query: string, isToolName: (name: string) => boolean): ToolQuery {
  if (query.startsWith(selectMark)) return { kind: "select", names: namesIn(query.slice(selectMark.length)) };
  if (isToolName(query)) return { kind: "select", names: [query] };
  const parts = query.split(/\s+/).filter((part) => part !== "");
  const prefix = parts[0]?.startsWith(serverMark) ? parts[0] : "";
  const words = prefix === "" ? parts : parts.slice(1);
  if (prefix !== "" && words.length === 0) return { kind: "prefix", prefix };
  return {
    kind: "words",
    words: words.filter((word) => !isRequired(word)).join(" "),
    required: words.filter(isRequired).map((word) => word.slice(1)),
    prefix,
  };
}

function namesIn(list: string): readonly string[] {
  return [...new Set(list.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}

function isRequired(word: string): boolean {
  return word.startsWith("+") && word.length > 1;
}
