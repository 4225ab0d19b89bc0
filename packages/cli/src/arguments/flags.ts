/** The table of flags: their names, what each takes, and where its value goes. */
import { debugAreas, efforts, permissionModes, scopes } from "@kedge/protocol";
import { flagTexts } from "../texts/arguments.ts";
import type { ExportFormat, Flags, InputFormat, OutputFormat, SetupAgent } from "./flag-values.ts";

export type { ExportFormat, Flags, InputFormat, OutputFormat, SetupAgent } from "./flag-values.ts";

const exportFormats: readonly ExportFormat[] = ["json", "jsonl", "md", "html", "dump"];

const setupAgents: readonly SetupAgent[] = ["claude", "opencode", "codex", "gemini", "omp"];

const outputFormats: readonly OutputFormat[] = ["text", "json", "stream-json"];

const inputFormats: readonly InputFormat[] = ["text", "stream-json"];

export type Flag = {
  readonly names: readonly string[];
  /** What stands for the value in sentences; absent when the flag takes none. */
  readonly takes?: string;
  /** May also stand without its value, which then is empty. */
  readonly isValueOptional?: true;
  /** The value follows after `=` only, because the next word may be a prompt. */
  readonly isValueInline?: true;
  /** All that it accepts, where that is a fixed list. */
  readonly values?: readonly string[];
  /** Returns what was expected when the value does not fit. */
  readonly set: (flags: Flags, value: string) => string | undefined;
};

type SwitchName = {
  [Name in keyof Flags]-?: NonNullable<Flags[Name]> extends true ? Name : never;
}[keyof Flags];
type TextName = {
  [Name in keyof Flags]-?: string extends NonNullable<Flags[Name]> ? Name : never;
}[keyof Flags];
type ListName = {
  [Name in keyof Flags]-?: NonNullable<Flags[Name]> extends string[] ? Name : never;
}[keyof Flags];
type NumberName = {
  [Name in keyof Flags]-?: NonNullable<Flags[Name]> extends number ? Name : never;
}[keyof Flags];

type NumberKind = { readonly expected: string; readonly fits: (value: number) => boolean };

const wholeNumber: NumberKind = {
  expected: flagTexts.positiveInteger,
  fits: (value) => Number.isSafeInteger(value) && value > 0,
};
const zeroOrMore: NumberKind = {
  expected: flagTexts.zeroOrGreater,
  fits: (value) => Number.isFinite(value) && value >= 0,
};
const portNumber: NumberKind = {
  expected: flagTexts.portNumber,
  fits: (value) => Number.isInteger(value) && value >= 0 && value < 65_536,
};
const anyNumber: NumberKind = {
  expected: flagTexts.positiveNumber,
  fits: (value) => Number.isFinite(value) && value > 0,
};

export const flagTable: readonly Flag[] = [
  switchOn("print", "--print", "-p"),
  oneOf("outputFormat", outputFormats, "--output-format"),
  oneOf("inputFormat", inputFormats, "--input-format"),
  oneOf("compat", ["claude"], "--compat"),
  switchOn("includePartialMessages", "--include-partial-messages"),
  textOf("model", "provider/model", "--model", "-m"),
  oneOf("permissionMode", permissionModes, "--permission-mode"),
  switchOn("skipPermissions", "--dangerously-skip-permissions"),
  listOf("allow", "rule", "--allow", "--allowed-tools"),
  listOf("deny", "rule", "--deny", "--disallowed-tools"),
  toolsFlag("--tools"),
  listOf("addDir", "path", "--add-dir"),
  listOf("mcpConfig", flagTexts.fileOrJson, "--mcp-config"),
  numberOf("maxTurns", wholeNumber, "--max-turns"),
  numberOf("maxBudgetUsd", anyNumber, "--max-budget-usd"),
  numberOf("maxSteps", wholeNumber, "--max-steps"),
  textOf("jsonSchema", "schema", "--json-schema"),
  listOf("attach", "file", "--attach", "-a"),
  oneOf("effort", efforts, "--effort"),
  textOf("fallbackModel", "provider/model", "--fallback-model"),
  switchOn("unattended", "--unattended"),
  numberOf("days", wholeNumber, "--days"),
  numberOf("limit", wholeNumber, "--limit"),
  oneOf("role", ["user", "assistant"], "--role"),
  textOf("tool", "name", "--tool"),
  textOf("file", "path", "--file"),
  oneOf("format", exportFormats, "--format"),
  switchOn("noRedact", "--no-redact"),
  switchOn("withoutToolOutput", "--without-tool-output"),
  switchOn("withoutReasoning", "--without-reasoning"),
  switchOn("check", "--check"),
  switchOn("view", "--view"),
  numberOf("until", wholeNumber, "--until"),
  numberOf("speed", zeroOrMore, "--speed"),
  fromFlag("--from"),
  switchOn("archived", "--archived"),
  switchOn("children", "--children"),
  textOf("parent", "session", "--parent"),
  numberOf("olderThan", wholeNumber, "--older-than"),
  numberOf("keep", wholeNumber, "--keep"),
  switchOn("dryRun", "--dry-run"),
  switchOn("undo", "--undo"),
  switchOn("force", "--force"),
  switchOn("all", "--all"),
  switchOn("verbose", "--verbose"),
  switchOn("refresh", "--refresh"),
  switchOn("noVerify", "--no-verify"),
  switchOn("continue", "--continue", "-c"),
  resumeFlag("--resume", "-r"),
  switchOn("forkSession", "--fork-session"),
  sessionIdFlag("--session-id"),
  worktreeFlag("--worktree", "-w"),
  listOf("settings", "file", "--settings", "--config"),
  profileFlag("--profile", "--alias"),
  switchOn("local", "--local"),
  switchOn("user", "--user"),
  switchOn("project", "--project"),
  switchOn("sources", "--sources"),
  oneOf("transport", ["stdio", "http", "sse", "ws"], "--transport"),
  listOf("env", "NAME=value", "--env"),
  listOf("header", flagTexts.nameAndValue, "--header"),
  switchOn("instructions", "--instructions"),
  switchOn("noMemory", "--no-memory"),
  switchOn("init", "--init"),
  switchOn("initOnly", "--init-only"),
  switchOn("maintenance", "--maintenance"),
  switchOn("fix", "--fix"),
  textOf("dir", "directory", "--dir"),
  textOf("build", "command", "--build"),
  textOf("failsWith", "text", "--fails-with"),
  textOf("base", "commit", "--base"),
  textOf("record", "file", "--record"),
  textOf("test", "command", "--test"),
  switchOn("trust", "--trust"),
  textOf("systemPrompt", "text", "--system-prompt"),
  textOf("appendSystemPrompt", "text", "--append-system-prompt"),
  textOf("agent", "name", "--agent"),
  textOf("agents", flagTexts.jsonOrFile, "--agents"),
  switchOn("failOnDeny", "--fail-on-deny"),
  numberOf("port", portNumber, "--port"),
  textOf("hostname", flagTexts.nameOrAddress, "--hostname"),
  textOf("tlsCert", "file", "--tls-cert"),
  textOf("tlsKey", "file", "--tls-key"),
  switchOn("insecure", "--insecure"),
  switchOn("noAuth", "--no-auth"),
  switchOn("lan", "--lan"),
  switchOn("tailnet", "--tailnet"),
  switchOn("noOpen", "--no-open"),
  oneOf("scope", scopes, "--scope"),
  textOf("ttl", "time", "--ttl"),
  textOf("name", "name", "--name"),
  textOf("token", "token", "--token"),
  switchOn("console", "--console"),
  switchOn("json", "--json"),
  switchOn("jsonl", "--jsonl"),
  textOf("catalogue", "file", "--catalogue"),
  switchOn("yes", "--yes", "-y"),
  debugFlag("--debug"),
  switchOn("debugStartup", "--debug-startup"),
  switchOn("version", "--version", "-v"),
  switchOn("help", "--help", "-h"),
];

export const flagNames: readonly string[] = flagTable.flatMap((flag) => flag.names);

function switchOn(name: SwitchName, ...names: string[]): Flag {
  return {
    names,
    set: (flags) => {
      flags[name] = true;
      return undefined;
    },
  };
}

/** The form is checked here as well, because flags are read before anything is loaded. */
function profileFlag(...names: string[]): Flag {
  return {
    names,
    takes: "name",
    set: (flags, value) => {
      if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(value)) return flagTexts.profileName;
      flags.profile = value;
      return undefined;
    },
  };
}

/** A fact of a session to begin with, or an agent to import from. */
function fromFlag(...names: string[]): Flag {
  return {
    names,
    takes: flagTexts.numberOrAgent,
    set: (flags, value) => {
      const agent = setupAgents.find((each) => each === value);
      if (agent === undefined && !wholeNumber.fits(Number(value))) {
        return flagTexts.numberOrAgentOf(wholeNumber.expected, setupAgents.join(", "));
      }
      if (agent === undefined) flags.from = Number(value);
      else flags.fromAgent = agent;
      return undefined;
    },
  };
}

/** Without a name it asks which session is meant. */
function resumeFlag(...names: string[]): Flag {
  return {
    names,
    takes: flagTexts.idOrTitle,
    isValueOptional: true,
    set: (flags, value) => {
      if (value === "") flags.pickSession = true;
      else flags.resume = value;
      return undefined;
    },
  };
}

function debugFlag(...names: string[]): Flag {
  return {
    names,
    takes: "areas",
    isValueInline: true,
    set: (flags, value) => {
      const unknown = value.split(",").find((name) => value !== "" && !debugAreas.some((area) => area === name));
      if (unknown !== undefined) return flagTexts.listOf(debugAreas.join(", "));
      flags.debug = value === "" ? "1" : value;
      return undefined;
    },
  };
}

/** Whether a name will do is known once worktrees are loaded. */
function worktreeFlag(...names: string[]): Flag {
  return {
    names,
    takes: "name",
    isValueOptional: true,
    set: (flags, value) => {
      flags.worktree = value;
      return undefined;
    },
  };
}

/** Whether there are such tools is known once they are assembled. */
function toolsFlag(...names: string[]): Flag {
  return {
    names,
    takes: "names",
    set: (flags, value) => {
      const tools = value.split(",").map((name) => name.trim());
      if (tools.includes("")) return flagTexts.toolNames;
      flags.tools = [...(flags.tools ?? []), ...tools];
      return undefined;
    },
  };
}

function sessionIdFlag(...names: string[]): Flag {
  return {
    names,
    takes: "id",
    set: (flags, value) => {
      if (!/^ses_[a-z0-9]{10,40}$/.test(value)) return flagTexts.sessionId;
      flags.sessionId = value;
      return undefined;
    },
  };
}

function textOf(name: TextName, takes: string, ...names: string[]): Flag {
  return {
    names,
    takes,
    set: (flags, value) => {
      flags[name] = value;
      return undefined;
    },
  };
}

function listOf(name: ListName, takes: string, ...names: string[]): Flag {
  return {
    names,
    takes,
    set: (flags, value) => {
      flags[name] = [...(flags[name] ?? []), value];
      return undefined;
    },
  };
}

function numberOf(name: NumberName, { expected, fits }: NumberKind, ...names: string[]): Flag {
  return {
    names,
    takes: "number",
    set: (flags, value) => {
      if (!fits(Number(value))) return expected;
      flags[name] = Number(value);
      return undefined;
    },
  };
}

type ChoiceName =
  | "outputFormat"
  | "inputFormat"
  | "compat"
  | "permissionMode"
  | "effort"
  | "role"
  | "format"
  | "scope"
  | "transport";

function oneOf<Name extends ChoiceName>(
  name: Name,
  members: readonly NonNullable<Flags[Name]>[],
  ...names: string[]
): Flag {
  return {
    names,
    takes: members.join("|"),
    values: members,
    set: (flags, value) => {
      const member = members.find((each) => each === value);
      if (member === undefined) return flagTexts.oneOf(members.join(", "));
      flags[name] = member;
      return undefined;
    },
  };
}
