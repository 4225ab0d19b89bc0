/** Takes the frontmatter off a Markdown file, and reads the one thing that kedge wants of it: which files a rule is about. */

export type Frontmatter = {
  /** The text without it. */
  readonly body: string;
  /** Absent where the file has no condition. */
  readonly patterns?: readonly string[];
  /** The condition cannot be read: it is dropped, the text is not. */
  readonly problem?: string;
};

/** A longer one is no list of a few keys. */
const charactersMax = 16_000;

const block = /^\ufeff?---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;
/** What other agents call the list of files. */
const keys: ReadonlySet<string> = new Set(["paths", "applyTo", "globs"]);

/** Lines end with a line feed alone. */
export function splitFrontmatter(text: string): Frontmatter {
  const found = block.exec(text);
  if (found === null) return { body: text };
  const body = text.slice(found[0].length);
  const yaml = found[1] ?? "";
  const read = yaml.length > charactersMax ? "the frontmatter is too long" : readPatterns(yaml);
  if (read === undefined) return { body };
  return typeof read === "string" ? { body, problem: read } : { body, patterns: read };
}

/** Undefined without a condition; a sentence when it is not understood. */
function readPatterns(yaml: string): readonly string[] | string | undefined {
  const lines = yaml.split("\n");
  const at = lines.findIndex((line) => keys.has(/^([A-Za-z]+)\s*:/.exec(line)?.[1] ?? ""));
  if (at === -1) return lines.some(isBroken) ? "the frontmatter cannot be read" : undefined;
  const line = lines[at] ?? "";
  const value = withoutComment(line.slice(line.indexOf(":") + 1)).trim();
  const items = value === "" ? listBelow(lines.slice(at + 1)) : inlineItems(value);
  if (items === undefined) return `the frontmatter cannot be read: ${line.trim().slice(0, 80)}`;
  const patterns = items.map((item) => item.trim()).filter((item) => item !== "");
  return patterns.length === 0 ? undefined : patterns;
}

/** A line that is neither a key nor part of a value. */
function isBroken(line: string): boolean {
  return line.trim() !== "" && !/^(?:[\w.-]+\s*:(?:\s|$)|\s|#|-\s)/.test(line);
}

/** `[a, b]`, `"a"` or `a, b`; undefined when a bracket or a quote is left open. */
function inlineItems(value: string): readonly string[] | undefined {
  if (value.startsWith("[")) {
    if (!value.endsWith("]")) return undefined;
    return splitAtCommas(value.slice(1, -1));
  }
  // In YAML a bare `*.ts`, `!*.md` or `{a,b}/**` is something else, and yet it is how people write patterns.
  if (/^[|>&%@`]/.test(value) || /^\{[^}]*:\s/.test(value)) return undefined;
  return splitAtCommas(value);
}

/** Commas inside of braces and quotes belong to the pattern. */
function splitAtCommas(text: string): readonly string[] | undefined {
  const items: string[] = [];
  let item = "";
  let quote = "";
  let braces = 0;
  for (const character of text) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else item += character;
    } else if ((character === '"' || character === "'") && item.trim() === "") quote = character;
    else if (character === "," && braces === 0) {
      items.push(item);
      item = "";
    } else {
      if (character === "{") braces += 1;
      if (character === "}") braces -= 1;
      item += character;
    }
  }
  if (quote !== "") return undefined;
  // A quoted text may hold a list of its own, as `applyTo: "a,b"` does.
  return [...items, item].flatMap((each) => (each.includes(",") && !each.includes("{") ? each.split(",") : [each]));
}

/** `- a` lines until the next key. */
function listBelow(lines: readonly string[]): readonly string[] | undefined {
  const items: string[] = [];
  for (const line of lines) {
    if (line.trim() === "" || /^\s*#/.test(line)) continue;
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1];
    if (item === undefined) {
      if (/^\S/.test(line)) break;
      return undefined;
    }
    const read = inlineItems(withoutComment(item).trim());
    if (read === undefined) return undefined;
    items.push(...read);
  }
  return items;
}

function withoutComment(value: string): string {
  return /^\s*["']/.test(value) ? value.replace(/(["'])\s+#.*$/, "$1") : value.replace(/\s#.*$/, "");
}
