/** Tells whether git may ignore a file, by reading rules: errs towards yes, because that costs only a closer look. */
import { join, posix, resolve } from "node:path";

type ReadText = (path: string) => Promise<string | undefined>;

/** What a rule file below `folder` speaks of. */
type IgnoreRule = { readonly folder: string; readonly isAnchored: boolean; readonly expression: RegExp };

export interface IgnoreRules {
  /** Relative to the root. */
  mayMatch(path: string): boolean;
  readonly isEmpty: boolean;
}

/** Rules that concern what lies at these paths, relative to the root. Rules that take back others are not read. */
export async function readIgnoreRules(
  root: string,
  paths: readonly string[],
  readText: ReadText,
): Promise<IgnoreRules> {
  const folders = new Set(paths.flatMap(foldersAbove));
  const rules: IgnoreRule[] = [];
  const read = async (file: string, folder: string) => {
    const text = await readText(file);
    for (const line of text?.split("\n") ?? []) rules.push(...readRule(line, folder));
  };
  await Promise.all([...folders].map((folder) => read(join(root, folder, ".gitignore"), folder)));
  const exclude = await excludeFile(root, readText);
  if (exclude !== undefined) await read(exclude, "");
  return { isEmpty: rules.length === 0, mayMatch: (path) => rules.some((rule) => ruleMatches(rule, path)) };
}

/** The private rules of the repository; those of a linked work tree lie with the first one. */
async function excludeFile(root: string, readText: ReadText): Promise<string | undefined> {
  const pointer = await readText(join(root, ".git"));
  if (pointer === undefined) return join(root, ".git", "info", "exclude");
  const own = resolve(root, pointer.replace(/^gitdir:/, "").trim());
  const common = await readText(join(own, "commondir"));
  return join(common === undefined ? own : resolve(own, common.trim()), "info", "exclude");
}

/** The root and every folder on the way, the path itself included: it may be one. */
function foldersAbove(path: string): readonly string[] {
  return ["", ...prefixesOf(path)];
}

function prefixesOf(path: string): readonly string[] {
  if (path === ".") return [];
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function ruleMatches({ folder, isAnchored, expression }: IgnoreRule, path: string): boolean {
  if (folder !== "" && !path.startsWith(`${folder}/`)) return false;
  const below = folder === "" ? path : path.slice(folder.length + 1);
  // A folder that is ignored takes all in it along.
  return prefixesOf(below).some((place) => expression.test(isAnchored ? place : posix.basename(place)));
}

function readRule(line: string, folder: string): readonly IgnoreRule[] {
  const pattern = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
  if (pattern === "" || pattern.startsWith("#") || pattern.startsWith("!")) return [];
  const name = pattern.replace(/\/+$/, "");
  const isAnchored = name.includes("/");
  return [{ folder, isAnchored, expression: asExpression(name.replace(/^\//, "")) }];
}

/** Sets of characters are taken for any character, and case never counts. */
function asExpression(glob: string): RegExp {
  let source = "";
  for (let rest = glob; rest !== ""; ) {
    const [token = ""] = /^(?:\*\*\/|\/\*\*$|\*+|\?|\[(?:\\.|[^\\])[^\]]*\]|\\.|[\s\S])/u.exec(rest) ?? [];
    source += asSource(token);
    rest = rest.slice(token.length);
  }
  return new RegExp(`^${source}$`, "isu");
}

function asSource(token: string): string {
  if (token === "**/") return "(?:.*/)?";
  if (token === "/**") return "/.*";
  if (token.startsWith("*")) return token.length > 1 ? ".*" : "[^/]*";
  if (token === "?" || token.startsWith("[")) return "[^/]";
  const character = token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
