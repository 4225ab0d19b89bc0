/** Reads one settings file: JSON, or JSON with comments, with `{env:NAME}` and `{file:path}` put in. */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { reasonOf } from "../home.ts";

export type Settings = { readonly [name: string]: unknown };

export type SettingsRead =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly sentence: string };

export type ReadOptions = {
  /** How the file is called in sentences. */
  readonly name: string;
  /** Values that may be put in; undefined for files that strangers can write. */
  readonly substitution?: {
    readonly environment: { readonly [name: string]: string | undefined };
    readonly userDirectory: string;
  };
};

/** The first of the two spellings that exists. */
export function existingFile(path: string): string | undefined {
  return [path, `${path}c`].find(isFile);
}

/** A pipe of that name would be waited for until somebody writes into it. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export async function readSettings(path: string, options: ReadOptions): Promise<SettingsRead> {
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch (error) {
    return { ok: false, sentence: `${options.name} cannot be read (${reasonOf(error)})` };
  }
  const parsed = await parse(source, path);
  if (!parsed.ok) return { ok: false, sentence: `${options.name} is not valid JSON at ${parsed.where}` };
  if (!isJsonObject(parsed.value)) return { ok: false, sentence: `${options.name}: the file must be an object` };
  if (options.substitution === undefined || !/\{(env|file):/.test(source)) {
    return { ok: true, settings: parsed.value, warnings: [] };
  }
  return substitute(parsed.value, path, { name: options.name, ...options.substitution });
}

type ParsedText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly where: string };

async function parse(source: string, path: string): Promise<ParsedText> {
  if (!path.endsWith("c")) {
    try {
      return { ok: true, value: JSON.parse(source) };
    } catch (error) {
      // Comments and trailing commas are welcome in either spelling, so the patient parser has the last word.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  // Loaded late: most files are plain JSON, and the parser costs more than reading them.
  const jsonc = await import("jsonc-parser");
  const errors: import("jsonc-parser").ParseError[] = [];
  const value: unknown = jsonc.parse(source, errors, { allowTrailingComma: true });
  const first = errors[0];
  return first === undefined ? { ok: true, value } : { ok: false, where: placeOf(source, first.offset) };
}

function placeOf(source: string, offset: number): string {
  const lines = source.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

type Substitution = NonNullable<ReadOptions["substitution"]> & { readonly name: string };

function substitute(settings: Settings, path: string, from: Substitution): SettingsRead {
  const warnings: string[] = [];
  const missing: string[] = [];
  const fill = (value: unknown, at: string): unknown => {
    if (typeof value === "string") return fillText(value, at);
    if (Array.isArray(value)) return value.map((each, index) => fill(each, `${at}[${index}]`));
    if (!isJsonObject(value)) return value;
    const filled: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) filled[name] = fill(each, at === "" ? name : `${at}.${name}`);
    return filled;
  };
  const fillText = (text: string, at: string): string | undefined => {
    let absent = false;
    const filled = text.replace(/\{(env|file):([^}]+)\}/g, (_, kind: string, target: string) => {
      const found = kind === "env" ? from.environment[target] : fileText(target, path, from.userDirectory);
      if (found !== undefined) return found;
      absent = true;
      if (kind === "env") warnings.push(`${from.name}: ${at} is left out, because ${target} is not set`);
      else missing.push(`${from.name}: ${at} names the file ${target}, which cannot be read`);
      return "";
    });
    return absent ? undefined : filled;
  };
  const filled = fill(settings, "");
  const unreadable = missing[0];
  if (unreadable !== undefined) return { ok: false, sentence: unreadable };
  return { ok: true, settings: isJsonObject(filled) ? filled : {}, warnings };
}

function fileText(target: string, settingsPath: string, userDirectory: string): string | undefined {
  const expanded = target.startsWith("~/") ? resolve(userDirectory, target.slice(2)) : target;
  try {
    return readFileSync(resolve(dirname(settingsPath), expanded), "utf8").trim();
  } catch {
    // The caller names the file; why it cannot be read matters less than where it is named.
    return undefined;
  }
}
