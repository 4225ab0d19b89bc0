/** Reads language servers that people describe: entries of settings, and files as other agents write them (`.lsp.json`). */
import { isAbsolute, join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import type { ServerDefinition } from "./server-definition.ts";

export type ServerProblem = {
  readonly name: string;
  /** A sentence part. */
  readonly why: string;
};

export type ReadServers = {
  readonly servers: readonly ServerDefinition[];
  readonly problems: readonly ServerProblem[];
  /** Names of the table that are switched off. */
  readonly disabled: readonly string[];
};

export type ServerSource = {
  /** Shown to people. */
  readonly origin: string;
  /** Relative programs count from here. */
  readonly directory: string;
  readonly isOfProject: boolean;
  /** What `${NAME}` stands for in commands, arguments and variables, such as the folder of a plugin. */
  readonly variables?: { readonly [name: string]: string };
};

/** Variables that make a program load other code; a description of a server may not set them. */
const loaderVariable =
  /^(?:PATH|LD_.+|DYLD_.+|BASH_ENV|ENV|NODE_OPTIONS|PYTHON(?:PATH|HOME|STARTUP)|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|KEDGE_.+)$/i;

/**
 * An entry may change a server of the table by its name, or describe another one. Entries that cannot be used are named,
 * and none stops the others.
 */
export function readServers(entries: unknown, table: readonly ServerDefinition[], source: ServerSource): ReadServers {
  const servers: ServerDefinition[] = [];
  const problems: ServerProblem[] = [];
  const disabled: string[] = [];
  for (const [name, entry] of objectEntries(entries)) {
    if (!isJsonObject(entry)) {
      problems.push({ name, why: "it is not an object" });
    } else if (entry["disabled"] === true) {
      disabled.push(name);
    } else {
      const known = table.find((row) => row.name === name);
      const read = readEntry(name, filled(entry, source.variables), known, source);
      if ("why" in read) problems.push({ name, why: read.why });
      else servers.push(read);
    }
  }
  return { servers, problems, disabled };
}

/** The texts that say what is started; the rest is for the server, which may mean something else by such a sign. */
function filled(entry: JsonObject, variables: ServerSource["variables"]): JsonObject {
  if (variables === undefined) return entry;
  const fill = (value: Json): Json => {
    if (typeof value === "string")
      return value.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]));
  };
  const started = ["command", "args", "env", "workspaceFolder"].flatMap((name) => {
    const value = entry[name];
    return value === undefined ? [] : [[name, fill(value)] as const];
  });
  return { ...entry, ...Object.fromEntries(started) };
}

/** What was read from a file is JSON. */
function objectEntries(entries: unknown): readonly (readonly [string, Json])[] {
  return isJsonObject(entries) ? Object.entries(entries as JsonObject) : [];
}

function readEntry(
  name: string,
  entry: JsonObject,
  known: ServerDefinition | undefined,
  { origin, directory, isOfProject }: ServerSource,
): ServerDefinition | { readonly why: string } {
  const { transport, workspaceFolder } = entry;
  if (transport !== undefined && transport !== "stdio")
    return { why: `its transport ${JSON.stringify(transport)} is not supported, only stdio` };
  const command = commandOf(entry, directory);
  if (command === undefined && known === undefined) return { why: "it has no command" };
  const languages = languagesOf(entry) ?? known?.languages;
  if (languages === undefined) return { why: "it has no file extensions" };
  const environment = environmentOf(entry["env"]);
  const settings = isJsonObject(entry["settings"]) ? entry["settings"] : known?.settings;
  const given = entry["initialization"] ?? entry["initializationOptions"];
  const initialization = isJsonObject(given) ? given : known?.initialization;
  return {
    ...(known ?? { markers: [] }),
    name,
    origin,
    languages,
    commands: command === undefined ? (known?.commands ?? []) : [command],
    ...(isOfProject && { isOfProject }),
    ...(settings !== undefined && { settings }),
    ...(initialization !== undefined && { initialization }),
    ...(environment !== undefined && { environment }),
    ...(typeof workspaceFolder === "string" && { workspaceFolder: inDirectory(workspaceFolder, directory) }),
    ...milliseconds("startMsMax", entry["startupTimeout"]),
    ...milliseconds("stopMsMax", entry["shutdownTimeout"]),
    ...(typeof entry["maxRestarts"] === "number" && {
      restartsMax: Math.max(0, Math.min(entry["maxRestarts"], restartsMax)),
    }),
    ...(entry["restartOnCrash"] === false && { restartsMax: 0 }),
    ...(entry["diagnostics"] === false && { diagnoses: false }),
  };
}

const restartsMax = 3;
const timeoutMsMax = 120_000;

function milliseconds(name: "startMsMax" | "stopMsMax", value: Json | undefined): { readonly [name: string]: number } {
  return typeof value === "number" && value > 0 ? { [name]: Math.min(value, timeoutMsMax) } : {};
}

/** A list, or a program with its arguments beside it. */
function commandOf({ command, args }: JsonObject, directory: string): readonly string[] | undefined {
  const words = Array.isArray(command) ? command : typeof command === "string" ? [command] : [];
  const [program, ...rest] = [...words, ...(Array.isArray(args) ? args : [])].map(String);
  if (program === undefined || program === "") return undefined;
  return [program.includes("/") ? inDirectory(program, directory) : program, ...rest];
}

function inDirectory(path: string, directory: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** Extensions with their languages, or extensions alone, which then name the language as most do. */
function languagesOf({
  fileExtensions,
  extensionToLanguage = fileExtensions,
  extensions,
}: JsonObject): ServerDefinition["languages"] | undefined {
  const pairs: readonly (readonly [string, string])[] = isJsonObject(extensionToLanguage)
    ? Object.entries(extensionToLanguage).map(([extension, language]) => [extension, String(language)])
    : Array.isArray(extensions)
      ? extensions.map((extension) => [String(extension), String(extension).replace(/^\./, "")])
      : [];
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(pairs.map(([extension, language]) => [withDot(extension).toLowerCase(), language]));
}

/** A name without a dot may be that of a whole file, such as `Dockerfile`. */
function withDot(extension: string): string {
  return extension.startsWith(".") || /^[A-Z]/.test(extension) ? extension : `.${extension}`;
}

/** Without variables that would make a program load other code than its own. */
export function environmentOf(given: Json | undefined): { readonly [name: string]: string } | undefined {
  if (!isJsonObject(given)) return undefined;
  const kept = Object.entries(given).filter(([name]) => !loaderVariable.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
