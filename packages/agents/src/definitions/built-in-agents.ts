/** The agents that kedge brings, as a table. */
import { textBeside } from "@kedge/protocol/text-file";
import type { AgentDefinition } from "./agent-definition.ts";

const looking = ["read", "glob", "grep", "list", "bash", "webfetch", "websearch", "codesearch", "ast_grep", "lsp"];
/** Tools that change files, and the switch between planning and working. */
const changing = ["edit", "multi_edit", "write", "apply_patch", "edit_lines", "notebook_edit", "ast_edit", "resolve"];

/** What a coordinator has: nothing that reads or changes files. */
const coordinatorTools: readonly string[] = [
  "agent",
  "send_message",
  "task_output",
  "task_stop",
  "task_create",
  "task_get",
  "task_list",
  "task_update",
];

type Row = Pick<AgentDefinition, "name" | "description" | "mode" | "maxTurns"> & Partial<AgentDefinition>;

/** No definition of anybody else takes their place. */
export const protectedAgents: ReadonlySet<string> = new Set([
  "build",
  "plan",
  "coordinator",
  "compaction",
  "title",
  "summary",
  "hook",
  // What a fork of a session is called where agents have the name of their definition.
  "fork",
]);

const rows: readonly Row[] = [
  {
    name: "build",
    description: "The default agent: reads, edits and runs.",
    mode: "primary",
    maxTurns: 200,
  },
  {
    name: "plan",
    description: "Plans a change without making it; the plan ends with the files to change.",
    mode: "all",
    maxTurns: 40,
    prompt: textBeside(import.meta.url, "./prompts/plan.md"),
    tools: looking,
    isReadOnly: true,
  },
  {
    name: "general",
    description: "Does a self-contained task with all tools: research, edits, commands.",
    mode: "subagent",
    maxTurns: 100,
    prompt: textBeside(import.meta.url, "./prompts/general.md"),
    disallowedTools: ["todo_write", "todo_read"],
  },
  {
    name: "explore",
    description: "Searches code and the web and reports what it found. Read-only, fast.",
    mode: "subagent",
    maxTurns: 30,
    prompt: textBeside(import.meta.url, "./prompts/explore.md"),
    model: "fast",
    tools: looking,
    isReadOnly: true,
  },
  {
    name: "verification",
    description: "Tries to break a change: runs tests and builds. Verdict pass, fail or partial, with evidence.",
    mode: "subagent",
    maxTurns: 60,
    prompt: textBeside(import.meta.url, "./prompts/verification.md"),
    tools: looking,
    disallowedTools: changing,
  },
  {
    name: "reviewer",
    description: "Reviews a change through one lens, such as correctness or security. Read-only.",
    mode: "subagent",
    maxTurns: 40,
    prompt: textBeside(import.meta.url, "./prompts/reviewer.md"),
    tools: looking,
    isReadOnly: true,
    isBackground: true,
  },
  {
    name: "fp-filter",
    description: "Judges whether one reported finding is real; confidence 1 to 10. Read-only.",
    mode: "subagent",
    maxTurns: 15,
    prompt: textBeside(import.meta.url, "./prompts/fp-filter.md"),
    tools: looking,
    isReadOnly: true,
  },
  {
    name: "oracle",
    description: "Answers hard questions with the strongest model. Read-only; may send out explore agents.",
    mode: "subagent",
    maxTurns: 40,
    prompt: textBeside(import.meta.url, "./prompts/oracle.md"),
    model: "slow",
    effort: "max",
    tools: [...looking, "agent"],
    isReadOnly: true,
    isBackground: true,
    starts: ["explore"],
  },
  {
    name: "docs",
    description: "Answers questions about kedge itself.",
    mode: "subagent",
    maxTurns: 20,
    prompt: textBeside(import.meta.url, "./prompts/docs.md"),
    model: "fast",
    tools: ["read", "webfetch"],
    isReadOnly: true,
  },
  {
    name: "coordinator",
    description: "Directs other agents and reads and changes nothing itself.",
    mode: "primary",
    maxTurns: 200,
    prompt: textBeside(import.meta.url, "./prompts/coordinator.md"),
    tools: coordinatorTools,
  },
  {
    name: "compaction",
    description: "Summarizes a conversation that has grown too long.",
    mode: "subagent",
    maxTurns: 1,
    prompt: textBeside(import.meta.url, "./prompts/compaction.md"),
    tools: [],
    isHidden: true,
    isReadOnly: true,
  },
  {
    name: "title",
    description: "Generates a session title.",
    mode: "subagent",
    maxTurns: 1,
    prompt: textBeside(import.meta.url, "./prompts/title.md"),
    model: "fast",
    temperature: 0.5,
    tools: ["set_title"],
    isHidden: true,
    isReadOnly: true,
  },
  {
    name: "summary",
    description: "Summarizes finished work as a pull request description.",
    mode: "subagent",
    maxTurns: 1,
    prompt: textBeside(import.meta.url, "./prompts/summary.md"),
    model: "fast",
    tools: [],
    isHidden: true,
    isReadOnly: true,
  },
  {
    name: "hook",
    description: "Judges for a hook whether a condition is met.",
    mode: "subagent",
    maxTurns: 50,
    prompt: textBeside(import.meta.url, "./prompts/hook.md"),
    effort: "off",
    tools: ["read", "grep", "glob", "list", "bash"],
    isHidden: true,
  },
];

/** Those that others may start, in this order. */
export const builtInAgents: readonly AgentDefinition[] = rows.map((row) => ({
  isHidden: false,
  prompt: "",
  disallowedTools: [],
  permission: [],
  isReadOnly: false,
  isBackground: false,
  skills: [],
  mcpServers: [],
  notes: [],
  tier: "built-in",
  source: "kedge",
  ...row,
}));
