/** Changes one value in the text of a YAML file and keeps its comments. */
import type { Json } from "@kedge/protocol";
import type { Document, Pair } from "yaml";
import type { SettingPath } from "./setting-path.ts";

type Parser = typeof import("yaml");

/** Without a value the setting is taken out. Undefined when the file is written in a form that this cannot change. */
export function editYamlText(
  parser: Parser,
  text: string,
  path: SettingPath,
  value: Json | undefined,
): string | undefined {
  if (value === undefined) return cutSetting(parser, text, path);
  const document = parser.parseDocument(text);
  const replaced = replaceScalar(parser, document, { text, path, value });
  if (replaced !== undefined) return replaced;
  const place = nullParent(parser, document, path) ?? path;
  const node: unknown = document.createNode(nested(path.slice(place.length), value));
  const former = document.getIn(place, true);
  if (parser.isNode(node) && parser.isNode(former)) {
    // Behind a group there is no line for it.
    if (parser.isScalar(node)) node.comment = former.comment ?? null;
    else node.commentBefore = former.comment ?? null;
  }
  return unlessRefused(() => {
    document.setIn(place, node);
    return inLinesOf(text, document);
  });
}

type Replacing = { readonly text: string; readonly path: SettingPath; readonly value: Json };

/** The usual case, as text: writing the document again would also set the lines of others in order. */
function replaceScalar(parser: Parser, document: Document, { text, path, value }: Replacing): string | undefined {
  const { isMap, isScalar, stringify } = parser;
  const node = document.getIn(path, true);
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isScalar(node) || !isMap(parent) || (typeof value === "object" && value !== null)) return undefined;
  const { range, type, anchor, tag } = node;
  const isOnLine = type === "PLAIN" || type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  if (!range || range[0] === range[1] || !isOnLine || anchor !== undefined || tag !== undefined) return undefined;
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  const put = parent.flow === true || plain.includes("\n") ? JSON.stringify(value) : plain;
  return text.slice(0, range[0]) + put + text.slice(range[1]);
}

/** A name with nothing behind it stands for a group that is still empty. */
function nullParent({ isScalar }: Parser, document: Document, path: SettingPath): SettingPath | undefined {
  for (let length = 1; length < path.length; length++) {
    const node = document.getIn(path.slice(0, length), true);
    if (node === null || (isScalar(node) && node.value === null)) return path.slice(0, length);
  }
  return undefined;
}

function nested(path: SettingPath, value: Json): Json {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}

/** Lines are cut out as text: the parser would take comments before the first name for that name's own. */
function cutSetting(parser: Parser, text: string, path: SettingPath): string | undefined {
  const { isMap, isScalar, parseDocument } = parser;
  const document = parseDocument(text);
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(map)) return undefined;
  if (map.flow === true) {
    return unlessRefused(() => {
      document.deleteIn(path);
      return inLinesOf(text, document);
    });
  }
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
  const range = pair === undefined ? undefined : rangeOf(parser, text, pair);
  if (range === undefined) return undefined;
  const { lineStart, start, valueEnd, end } = range;
  if (map.items.length > 1 || path.length === 1) return text.slice(0, lineStart) + text.slice(end);
  // A name with nothing behind it would be null; the group stays, and is empty.
  const gap = /:[ \t]*\r?\n[ \t]*$/.exec(text.slice(0, start));
  const head = gap === null ? text.slice(0, start) : `${text.slice(0, gap.index)}: `;
  const lineBreak = /\r?\n$/.exec(text.slice(valueEnd, end))?.[0] ?? /\r?\n$/.exec(text.slice(start, end))?.[0] ?? "";
  return `${head}{}${lineBreak}${text.slice(end)}`;
}

function rangeOf({ isNode }: Parser, text: string, { key, value }: Pair) {
  const start = isNode(key) ? key.range?.[0] : undefined;
  const valueEnd = isNode(value) ? value.range?.[1] : undefined;
  if (start === undefined || valueEnd === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  // Something stands before the name, such as an anchor or a question mark.
  if (text.slice(lineStart, start).trim() !== "") return undefined;
  // Groups and long texts end with their last line.
  if (text[valueEnd - 1] === "\n") return { lineStart, start, valueEnd, end: valueEnd };
  const tail = /^[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/.exec(text.slice(valueEnd));
  return tail === null ? undefined : { lineStart, start, valueEnd, end: valueEnd + tail[0].length };
}

function inLinesOf(text: string, document: Document): string {
  // A width of 0 keeps long lines as they are.
  const written = document.toString({ lineWidth: 0 });
  return text.includes("\r\n") ? written.replaceAll(/\r?\n/g, "\r\n") : written;
}

/** The parser throws where a reference stands for the group, or where one would be left without what it names. */
function unlessRefused(edit: () => string): string | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
