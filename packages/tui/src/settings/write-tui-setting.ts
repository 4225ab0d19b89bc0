/** Changes one setting in the text of `tui.json` and leaves the rest as the user wrote it, comments too. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import type { ThemeSlot } from "../theme/choose-theme.ts";

/**
 * Undefined when the text is not JSON: then the user has to fix it first. A value on the way that is no object, such as
 * `"vim": true`, makes room for one. Without a value the setting is taken out.
 */
export function writeTuiSetting(
  text: string | undefined,
  path: readonly string[],
  value: Json | undefined,
): string | undefined {
  const source = text === undefined || text.trim() === "" ? "{}\n" : text;
  const root = parseObject(source);
  if (root === undefined) return undefined;
  const blocked = path.slice(0, -1).findIndex((_, index) => isBlocked(root, path.slice(0, index + 1)));
  if (blocked === -1) return changed(source, path, value);
  if (value === undefined) return source;
  const inner = path.slice(blocked + 1).reduceRight<Json>((below, name) => ({ [name]: below }), value);
  return changed(source, path.slice(0, blocked + 1), inner);
}

/**
 * `"theme": "x"` becomes the slot that the theme belongs to, or both for one that suits both. Undefined when there is
 * nothing to change, so that a second time does nothing; a theme that nobody knows stays as it is.
 */
export function migrateFlatTheme(
  text: string,
  slotsOf: (themeName: string) => readonly ThemeSlot[],
): string | undefined {
  const name = parseObject(text)?.["theme"];
  if (typeof name !== "string") return undefined;
  const slots = slotsOf(name);
  if (slots.length === 0) return undefined;
  return changed(text, ["theme"], Object.fromEntries(slots.map((slot) => [slot, name])));
}

function parseObject(text: string): { readonly [name: string]: unknown } | undefined {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  return errors.length === 0 && isJsonObject(value) ? value : undefined;
}

function isBlocked(root: { readonly [name: string]: unknown }, path: readonly string[]): boolean {
  let value: unknown = root;
  for (const name of path) {
    if (!isJsonObject(value)) return false;
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value !== undefined && !isJsonObject(value);
}

function changed(text: string, path: readonly string[], value: Json | undefined): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const source = text.slice(mark.length);
  const indent = /\n([ \t]+)\S/.exec(source)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: source.includes("\r\n") ? "\r\n" : "\n",
  };
  // In front, because at the end it would come to stand between the last setting and the comment behind it.
  const edits = modify(source, [...path], value, { formattingOptions, getInsertionIndex: () => 0 });
  return mark + applyEdits(source, edits);
}
