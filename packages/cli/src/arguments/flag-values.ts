/** What the command line said, as the rest of the program reads it. */
import type { Effort, PermissionMode, Scope } from "@kedge/protocol";

export type OutputFormat = "text" | "json" | "stream-json";

export type InputFormat = "text" | "stream-json";

/** Those of the exports; named here as well, because flags are read before anything is loaded. */
export type ExportFormat = "json" | "jsonl" | "md" | "html" | "dump";

/** Agents whose set-ups can be imported; named here as well, for the same reason. */
export type SetupAgent = "claude" | "opencode" | "codex" | "gemini" | "omp";

/** What the command line said; absent means nothing was said. */
export type Flags = {
  print?: true;
  outputFormat?: OutputFormat;
  inputFormat?: InputFormat;
  compat?: "claude";
  includePartialMessages?: true;
  model?: string;
  permissionMode?: PermissionMode;
  skipPermissions?: true;
  allow?: string[];
  deny?: string[];
  tools?: string[];
  addDir?: string[];
  mcpConfig?: string[];
  maxTurns?: number;
  maxBudgetUsd?: number;
  maxSteps?: number;
  jsonSchema?: string;
  attach?: string[];
  effort?: Effort;
  fallbackModel?: string;
  unattended?: true;
  days?: number;
  limit?: number;
  role?: "user" | "assistant";
  tool?: string;
  file?: string;
  format?: ExportFormat;
  noRedact?: true;
  withoutToolOutput?: true;
  withoutReasoning?: true;
  check?: true;
  view?: true;
  until?: number;
  speed?: number;
  from?: number;
  /** `--from` with the name of an agent instead of a number. */
  fromAgent?: SetupAgent;
  archived?: true;
  children?: true;
  parent?: string;
  olderThan?: number;
  keep?: number;
  dryRun?: true;
  undo?: true;
  force?: true;
  all?: true;
  verbose?: true;
  refresh?: true;
  noVerify?: true;
  continue?: true;
  resume?: string;
  /** `--resume` without a name: which session is asked. */
  pickSession?: true;
  forkSession?: true;
  sessionId?: string;
  /** Empty for a name that kedge chooses. */
  worktree?: string;
  settings?: string[];
  profile?: string;
  local?: true;
  user?: true;
  project?: true;
  sources?: true;
  transport?: "stdio" | "http" | "sse" | "ws";
  env?: string[];
  header?: string[];
  instructions?: true;
  noMemory?: true;
  init?: true;
  initOnly?: true;
  maintenance?: true;
  fix?: true;
  dir?: string;
  build?: string;
  failsWith?: string;
  base?: string;
  record?: string;
  test?: string;
  trust?: true;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  agent?: string;
  agents?: string;
  failOnDeny?: true;
  port?: number;
  hostname?: string;
  tlsCert?: string;
  tlsKey?: string;
  insecure?: true;
  noAuth?: true;
  lan?: true;
  tailnet?: true;
  noOpen?: true;
  scope?: Scope;
  ttl?: string;
  name?: string;
  token?: string;
  console?: true;
  json?: true;
  jsonl?: true;
  /** Tools to search in, for `explain tools`. */
  catalogue?: string;
  yes?: true;
  debug?: string;
  /** Acted upon before the arguments are parsed, see `areStagesWanted`. */
  debugStartup?: true;
  version?: true;
  help?: true;
};
