/** Changes one value in the text of a JSON file, with or without comments: only the characters of that value are touched. */
import type { Json } from "@kedge/protocol";
import type { Node } from "jsonc-parser";
import type { SettingPath } from "./setting-path.ts";

type Parser = typeof import("jsonc-parser");

type Cut = { readonly start: number; readonly end: number; readonly put: string };

const indentDefault = "  ";

/** Without a value the setting is taken out. Undefined when the file is written in a form that this cannot change. */
export function editJsonText(
  parser: Parser,
  text: string,
  path: SettingPath,
  value: Json | undefined,
): string | undefined {
  const root = parser.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return undefined;
  const { node, rest } = deepest(parser, root, path);
  if (value === undefined) return rest.length > 0 ? undefined : withCuts(text, cutProperty(parser, text, node));
  const unit = indentUnit(text, root);
  const [name, ...inner] = rest;
  if (name === undefined || node.type === "null") {
    return withCuts(text, [replaced(node, written(nested(rest, value), text, indentAt(text, node.offset), unit))]);
  }
  return node.type === "object"
    ? withCuts(text, addProperty(parser, text, node, { name, value: nested(inner, value), unit }))
    : undefined;
}

/** The last value on the way that is there, and the names that are missing below it. */
function deepest({ findNodeAtLocation }: Parser, root: Node, path: SettingPath) {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return { node, rest: path.slice(length) };
  }
  return { node: root, rest: path };
}

function nested(path: SettingPath, value: Json): Json {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}

/** The property with its comma and the comment behind it on its line. */
function cutProperty(parser: Parser, text: string, node: Node): readonly Cut[] {
  const property = node.parent;
  const object = property?.parent;
  if (property === undefined || object === undefined) return [];
  const siblings = object.children ?? [];
  const end = endOf(property);
  const before = siblings[siblings.indexOf(property) - 1];
  const own = commaAfter(parser, text, end);
  // Without a comma of its own it is the last one, and then the comma before it has nothing to part any more.
  const comma = own ?? (before === undefined ? undefined : commaAfter(parser, text, endOf(before)));
  const commaCut: readonly Cut[] = comma === undefined ? [] : [{ start: comma, end: comma + 1, put: "" }];
  const [lineStart, tailEnd] = [blankStart(text, property.offset), lineTail(text, end)];
  const isWholeLine = tailEnd !== undefined && isLineStart(text, lineStart);
  const lineBreak = isWholeLine ? (/^\r?\n/.exec(text.slice(tailEnd))?.[0].length ?? 0) : 0;
  const afterComma = own !== undefined && isBlank(text.slice(end, own)) ? own + 1 : end;
  const inner: Cut =
    tailEnd === undefined && own !== undefined
      ? { start: property.offset, end: blankEnd(text, afterComma), put: "" }
      : { start: lineStart, end: (tailEnd ?? end) + lineBreak, put: "" };
  const cuts = [inner, ...commaCut.filter(({ start }) => start < inner.start || start >= inner.end)];
  const left = withCuts(text.slice(0, endOf(object) - 1), cuts).slice(object.offset + 1);
  return siblings.length === 1 && left.trim() === "" ? [replaced(object, "{}")] : cuts;
}

type Added = { readonly name: string; readonly value: Json; readonly unit: string };

function addProperty(parser: Parser, text: string, object: Node, { name, value, unit }: Added): readonly Cut[] {
  const last = object.children?.at(-1);
  const property = (indent: string) => `${JSON.stringify(name)}: ${written(value, text, indent, unit)}`;
  if (last === undefined) {
    const close = endOf(object) - 1;
    const outer = indentAt(text, object.offset);
    const start = object.offset + 1 + text.slice(object.offset + 1, close).trimEnd().length;
    const put = `${lineBreakOf(text)}${outer}${unit}${property(outer + unit)}${lineBreakOf(text)}${outer}`;
    return [{ start, end: close, put }];
  }
  const end = endOf(last);
  const comma = commaAfter(parser, text, end);
  const parting: readonly Cut[] = comma === undefined ? [{ start: end, end, put: "," }] : [];
  const closing = comma === undefined ? "" : ",";
  const at = Math.max(lineTail(text, end) ?? end, (comma ?? -1) + 1);
  const isOnOwnLine = isLineStart(text, blankStart(text, last.offset));
  const indent = isOnOwnLine ? indentAt(text, last.offset) : indentAt(text, object.offset);
  const gap = isOnOwnLine ? `${lineBreakOf(text)}${indent}` : " ";
  // What stands on one line stays there, unless a comment would swallow it.
  const isSwallowed = !isOnOwnLine && text.slice(end, at).includes("//");
  const added = isOnOwnLine ? property(indent) : `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const put = `${isSwallowed ? `${lineBreakOf(text)}${indent}${unit}` : gap}${added}${closing}`;
  return [...parting, { start: at, end: at, put }];
}

/** The place of the comma that follows, past comments. */
function commaAfter({ createScanner }: Parser, text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const found = scanner.getTokenOffset();
  return text[found] === "," ? found : undefined;
}

/** Where the line ends if only a comma and comments follow on it; they belong to what stands before them. */
function lineTail(text: string, offset: number): number | undefined {
  const tail = /^(?:[ \t,]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(offset));
  return tail === null ? undefined : offset + tail[0].length;
}

function written(value: Json, text: string, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${lineBreakOf(text)}${indent}`);
}

function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0];
  if (first === undefined || !isLineStart(text, blankStart(text, first.offset))) return indentDefault;
  return indentAt(text, first.offset) || indentDefault;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function blankStart(text: string, offset: number): number {
  return offset - (/[ \t]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
}

function blankEnd(text: string, offset: number): number {
  return offset + (/^[ \t]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === "\n";
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function replaced(node: Node, put: string): Cut {
  return { start: node.offset, end: endOf(node), put };
}

function withCuts(text: string, cuts: readonly Cut[]): string {
  // From the end, so that places stay right; of two at one place the later one first, so that it comes to stand behind.
  return cuts
    .toReversed()
    .toSorted((left, right) => right.start - left.start)
    .reduce((soFar, { start, end, put }) => soFar.slice(0, start) + put + soFar.slice(end), text);
}
