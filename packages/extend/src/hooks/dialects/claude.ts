/** Hooks as Claude Code runs them; Codex uses the same names for what it has. */
import type { Dialect } from "./dialect.ts";

const path = { filePath: "file_path" };

export const claude: Dialect = {
  id: "claude",
  events: {},
  tools: {
    bash: "Bash",
    bash_output: "BashOutput",
    bash_kill: "KillShell",
    read: "Read",
    write: "Write",
    edit: "Edit",
    notebook_edit: "NotebookEdit",
    grep: "Grep",
    glob: "Glob",
    list: "LS",
    webfetch: "WebFetch",
    websearch: "WebSearch",
    todo_write: "TodoWrite",
    task_create: "TaskCreate",
    task_get: "TaskGet",
    task_list: "TaskList",
    task_update: "TaskUpdate",
    question: "AskUserQuestion",
    plan_enter: "EnterPlanMode",
    plan_exit: "ExitPlanMode",
    agent: "Agent",
    skill: "Skill",
  },
  fields: {
    read: path,
    write: path,
    edit: { ...path, oldString: "old_string", newString: "new_string", replaceAll: "replace_all" },
    notebook_edit: { filePath: "notebook_path", newSource: "new_source", cellId: "cell_id", editMode: "edit_mode" },
    grep: { include: "glob", mode: "output_mode", i: "-i", context: "-C" },
  },
  otherNames: { multi_edit: ["MultiEdit"], agent: ["Task"] },
  editing: { tool: "Edit", path: "file_path", text: "new_string" },
  eventFields: {},
  result: { text: "content", error: "error" },
  modes: { "accept-edits": "acceptEdits", bypass: "bypassPermissions" },
  projectVariables: ["CLAUDE_PROJECT_DIR"],
  timeout: { field: "timeout", unitMs: 1_000 },
  wantsTranscript: true,
};

export const codex: Dialect = {
  ...claude,
  id: "codex",
  patching: { tool: "apply_patch", field: "command", otherNames: ["Edit", "Write", "MultiEdit"] },
  eventFields: { prompt_id: "turn_id" },
  projectVariables: ["CODEX_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
};
