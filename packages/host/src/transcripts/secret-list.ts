/** The user's own list of secrets, `secrets.yml` in kedge's directory: what is taken out of everything that leaves. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, reasonOf } from "@kedge/protocol";
import type { SecretEntry } from "./export-redactor.ts";

export type SecretList =
  | { readonly ok: true; readonly entries: readonly SecretEntry[] }
  | { readonly ok: false; readonly sentence: string };

/** JSON is YAML, so all of them are read alike. */
const fileNames: readonly string[] = ["secrets.yml", "secrets.yaml", "secrets.json"];

const bytesMax = 1024 * 1024;
const fieldNames: readonly string[] = ["type", "content", "mode", "replacement", "flags"];

/** Going on without the list would let out what it names, so one that cannot be read stops whoever asks. */
export async function readSecrets(home: string): Promise<SecretList> {
  const there = fileNames.map((name) => join(home, name)).filter((path) => existsSync(path));
  const entries: SecretEntry[] = [];
  for (const path of there) {
    const text = readText(path);
    if (!text.ok) return text;
    const list = await parseSecrets(text.text, path);
    if (!list.ok) return list;
    entries.push(...list.entries);
  }
  return { ok: true, entries };
}

type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly sentence: string };

function readText(path: string): ReadText {
  try {
    if (statSync(path).size <= bytesMax) return { ok: true, text: readFileSync(path, "utf8") };
    return unusable(path, undefined, `it is larger than ${bytesMax / 1024} kB`);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return unusable(path, undefined, reasonOf(error));
  }
}

/** The parser is loaded only for who has such a file: that takes longer than most exports. */
async function parseSecrets(text: string, path: string): Promise<SecretList> {
  const { isSeq, isNode, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  // Without numbers and truth values: a secret of digits is a text like any other.
  const document = parseDocument(text, { schema: "failsafe", lineCounter: lines, prettyErrors: false });
  const problem = document.errors[0];
  if (problem !== undefined) return unusable(path, lines.linePos(problem.pos[0]).line, "it is not valid YAML");
  const { contents } = document;
  if (contents === null) return { ok: true, entries: [] };
  if (!isSeq(contents)) return unusable(path, 1, "it must be a list of entries with type and content");
  const entries: SecretEntry[] = [];
  for (const item of contents.items) {
    const place = isNode(item) ? item.range?.[0] : undefined;
    const entry = readEntry(isNode(item) ? item.toJS(document) : item);
    if (!entry.ok) return unusable(path, place === undefined ? undefined : lines.linePos(place).line, entry.why);
    entries.push(entry.entry);
  }
  return { ok: true, entries };
}

type ReadEntry = { readonly ok: true; readonly entry: SecretEntry } | { readonly ok: false; readonly why: string };

function readEntry(value: unknown): ReadEntry {
  if (!isJsonObject(value)) return { ok: false, why: "an entry must have type and content" };
  const unknownName = Object.keys(value).find((name) => !fieldNames.includes(name));
  if (unknownName !== undefined) {
    return { ok: false, why: `an entry has no ${JSON.stringify(unknownName)}, only ${fieldNames.join(", ")}` };
  }
  const { type, content, mode, replacement, flags } = value;
  if (type !== "plain" && type !== "regex") return { ok: false, why: "type must be plain or regex" };
  if (typeof content !== "string" || content === "") return { ok: false, why: "content must be a non-empty string" };
  if (mode !== undefined && mode !== "obfuscate" && mode !== "replace") {
    return { ok: false, why: "mode must be obfuscate or replace" };
  }
  if (!isTextOrAbsent(replacement) || !isTextOrAbsent(flags)) {
    return { ok: false, why: "replacement and flags must be strings" };
  }
  if (type === "regex" && !isExpression(content, flags)) {
    return { ok: false, why: "content and flags are not a valid regular expression" };
  }
  const entry: SecretEntry = {
    type,
    content,
    ...(mode !== undefined && { mode }),
    ...(replacement !== undefined && { replacement }),
    ...(flags !== undefined && { flags }),
  };
  return { ok: true, entry };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isExpression(content: string, flags = ""): boolean {
  try {
    new RegExp(content, flags);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Never with the content of an entry, which is a secret. */
function unusable(
  path: string,
  line: number | undefined,
  why: string,
): { readonly ok: false; readonly sentence: string } {
  const place = line === undefined ? path : `${path}, line ${line}`;
  return { ok: false, sentence: `Cannot use the secret list (${place}): ${why}. Fix it and try again.` };
}
