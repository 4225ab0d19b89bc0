/** Finds and reads one settings file: JSON with or without comments, or YAML, with `{env:NAME}` and `{file:path}` put in. */
import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { isDeeperThan } from "../is-deeper-than.ts";
import { readSettingsText } from "./read-settings-text.ts";
import { type RepeatedKey, repeatedJsonKey, repeatedYamlKey } from "./repeated-key.ts";

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

export const settingFormats = ["json", "jsonc", "yml", "yaml"] as const;

export type FoundFile =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly path: string }
  /** Which of them counts would be a guess. */
  | { readonly kind: "several"; readonly paths: readonly string[] };

/**
 * Looks for a settings file in every format; `stem` is its path without the ending. Whatever has that name counts, also
 * a folder, a pipe or a link to nothing: what was to stand there must not be lost in silence.
 */
export function findSettingFile(stem: string): FoundFile {
  const paths: string[] = [];
  for (const format of settingFormats) {
    const path = `${stem}.${format}`;
    const presence = presenceOf(path);
    // The folder cannot be looked into, so that nobody knows what is there; reading it says why.
    if (presence === "unknown") return { kind: "one", path };
    if (presence === "there") paths.push(path);
  }
  const [path] = paths;
  if (path === undefined) return { kind: "none" };
  return paths.length === 1 ? { kind: "one", path } : { kind: "several", paths };
}

export function presenceOf(path: string): "there" | "absent" | "unknown" {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? "absent" : "there";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR" ? "absent" : "unknown";
  }
}

export function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

/** Some editors begin a file with this mark; it says nothing. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

export async function readSettings(path: string, options: ReadOptions): Promise<SettingsRead> {
  const read = readSettingsText(path);
  if (!read.ok) return { ok: false, sentence: `${options.name} ${read.why}` };
  const source = withoutByteOrderMark(read.text);
  const parsed = await parseSettings(source, path);
  if (!parsed.ok) {
    return { ok: false, sentence: `${options.name} is not valid ${isYaml(path) ? "YAML" : "JSON"} at ${parsed.where}` };
  }
  if (!isJsonObject(parsed.value)) return { ok: false, sentence: `${options.name}: the file must be an object` };
  if (isDeeperThan(parsed.value, depthMax)) return { ok: false, sentence: `${options.name} is nested too deeply` };
  if (options.substitution === undefined || !/\{(env|file):/.test(source)) {
    return { ok: true, settings: parsed.value, warnings: [] };
  }
  return substitute(parsed.value, path, { name: options.name, ...options.substitution });
}

/** No setting needs a tenth of it, and everything that walks settings afterwards may recurse. */
const depthMax = 100;

export type ParsedText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly where: string };

/** The ending of the path says the format. */
export async function parseSettings(source: string, path: string): Promise<ParsedText> {
  try {
    return await (isYaml(path) ? parseYaml(source) : parseJson(source, path));
  } catch (error) {
    // The parsers of comments and of YAML recurse, and the stack ends before a deep enough text does.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, where: "its depth: nested too deeply" };
  }
}

async function parseJson(source: string, path: string): Promise<ParsedText> {
  if (!path.endsWith("c")) {
    try {
      return unlessRepeated(source, JSON.parse(source), repeatedJsonKey(source));
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
  if (first !== undefined) return { ok: false, where: placeOf(source, first.offset) };
  return unlessRepeated(source, value, repeatedJsonKey(source));
}

function unlessRepeated(source: string, value: unknown, repeated: RepeatedKey | undefined): ParsedText {
  if (repeated === undefined) return { ok: true, value };
  const key = JSON.stringify(repeated.key.slice(0, shownCharactersMax));
  return { ok: false, where: `${placeOf(source, repeated.offset)}: duplicate key ${key}` };
}

const yamlCharactersMax = 64 * 1024;
/** Of what a parser says: it may repeat the text. */
const shownCharactersMax = 100;

/** Loaded late: most people have no such file, and the parser takes longer to load than all of a plain start. */
async function parseYaml(source: string): Promise<ParsedText> {
  // The parser takes quadratic time for some texts: 900 KB of anchors took it three minutes.
  if (source.length > yamlCharactersMax) return { ok: false, where: "its end: it is longer than 64 KiB" };
  const yaml = await import("yaml");
  const document = yaml.parseDocument(source, { uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, where: placeOf(source, error.pos[0]) };
  try {
    // An empty file sets nothing, as an empty object does.
    return unlessRepeated(source, document.toJS() ?? {}, repeatedYamlKey(document, yaml));
  } catch (failure) {
    // References to references can stand for more than fits into memory; the parser counts them and gives up.
    if (!(failure instanceof ReferenceError)) throw failure;
    return { ok: false, where: `its references: ${failure.message.slice(0, shownCharactersMax)}` };
  }
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
      if (kind === "env") warnings.push(`${from.name}: ${at} is ignored: ${target} is not set`);
      else missing.push(`${from.name}: ${at} refers to ${target}, which cannot be read`);
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
  // The caller names the file; why it cannot be read matters less than where it is named.
  const read = readSettingsText(resolve(dirname(settingsPath), expanded));
  return read.ok ? read.text.trim() : undefined;
}
