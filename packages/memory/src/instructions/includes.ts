/** Finds the `@path` tokens of an instruction file, and where each leads. */
import { statSync } from "node:fs";
import { extname, isAbsolute, join, resolve } from "node:path";
import { textBeside } from "@kedge/protocol/text-file";

export type IncludeToken = {
  /** As written, with its `@`. */
  readonly token: string;
  /** Absolute. */
  readonly path: string;
};

/** More is no list of files that a person keeps. */
const tokensMax = 200;
const pathCharactersMax = 1_024;

/** Tokens in code, addresses of mail and of git hosts are none. Each target once, in the order of the text. */
export function findIncludes(text: string, { directory, home }: { readonly directory: string; readonly home: string }) {
  if (!text.includes("@")) return [];
  const found = new Map<string, IncludeToken>();
  for (const line of proseLines(text)) {
    for (const [, written = ""] of line.matchAll(/(?:^|\s)@((?:\\ |\S)+)/g)) {
      const path = written.length > pathCharactersMax ? "" : pathOf(written);
      if (path === "" || path.includes("@") || path.includes("\0")) continue;
      const target = targetOf(path, directory, home);
      if (found.size < tokensMax && !found.has(target)) found.set(target, { token: `@${path}`, path: target });
    }
  }
  return [...found.values()];
}

/** Words with an at sign that lead to a file and are no includes, each with the reason: for a person who wonders. */
export function tokensLeftAlone(text: string, places: { readonly directory: string; readonly home: string }) {
  const included = new Set(findIncludes(text, places).map(({ path }) => path));
  const found = new Map<string, { readonly token: string; readonly why: string }>();
  for (const [, before = "", written = ""] of text.matchAll(/(\S?)@([^\s@`]+)/g)) {
    const path = pathOf(written.slice(0, pathCharactersMax));
    const target = path === "" ? "" : targetOf(path, places.directory, places.home);
    if (target === "" || included.has(target) || found.has(target) || found.size >= tokensMax) continue;
    if (!isIncludable(target) || !isFile(target)) continue;
    const isAddress = before !== "" && before !== "`";
    found.set(target, { token: `@${path}`, why: isAddress ? "it looks like a URL" : "it is inside code" });
  }
  return [...found.values()];
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function targetOf(path: string, directory: string, home: string): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(directory, path);
}

/** Without blocks and pieces of code. */
function proseLines(text: string): readonly string[] {
  let fence = "";
  return text.split("\n").flatMap((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
      return [];
    }
    if (mark !== undefined) {
      fence = mark;
      return [];
    }
    return line.includes("@") ? [withoutCode(line)] : [];
  });
}

/** A row of backticks opens a piece of code that the next row of the same length closes. In one pass from the end. */
function withoutCode(line: string): string {
  const rows = [...line.matchAll(/`+/g)];
  const closing = new Map<number, number>();
  const latest = new Map<number, number>();
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const length = rows[index]?.[0].length ?? 0;
    const next = latest.get(length);
    if (next !== undefined) closing.set(index, next);
    latest.set(length, index);
  }
  let kept = "";
  let from = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const close = closing.get(index);
    const [opened, closed] = [rows[index], close === undefined ? undefined : rows[close]];
    if (close === undefined || opened === undefined || closed === undefined) continue;
    kept += `${line.slice(from, opened.index)}\``;
    from = closed.index + closed[0].length;
    index = close;
  }
  return kept + line.slice(from);
}

/** A space in a name is written `\\ `, and a heading behind `#` is still the whole file. */
function pathOf(written: string): string {
  const path = withoutPunctuation(written).replaceAll("\\ ", " ");
  const heading = path.indexOf("#", 1);
  const whole = heading === -1 ? path : path.slice(0, heading);
  return isIncludable(whole) ? whole : path;
}

const punctuation: ReadonlySet<string> = new Set(".,;:!?)]}\"'");

function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && punctuation.has(path.charAt(end - 1))) end -= 1;
  return path.slice(0, end);
}

let extensions: ReadonlySet<string> | undefined;
let names: ReadonlySet<string> | undefined;

/** By its name alone; what it holds is looked at when it is read. */
export function isIncludable(path: string): boolean {
  if (extensions === undefined) {
    const [first = "", second = ""] = textBeside(import.meta.url, "./text-extensions.txt").split("\n\n");
    extensions = new Set(first.split(/\s+/).filter((word) => word !== ""));
    names = new Set(second.split(/\s+/).filter((word) => word !== ""));
  }
  const extension = extname(path).slice(1).toLowerCase();
  const name = path.slice(path.lastIndexOf("/") + 1);
  return extension === "" ? names?.has(name) === true : extensions.has(extension);
}
