/** Hooks as Gemini CLI runs them. */
import type { Dialect } from "./dialect.ts";

const path = { filePath: "file_path" };

export const gemini: Dialect = {
  id: "gemini",
  events: {
    BeforeTool: "PreToolUse",
    AfterTool: "PostToolUse",
    BeforeAgent: "UserPromptSubmit",
    AfterAgent: "Stop",
    PreCompress: "PreCompact",
  },
  tools: {
    bash: "run_shell_command",
    read: "read_file",
    write: "write_file",
    edit: "replace",
    grep: "grep_search",
    list: "list_directory",
    webfetch: "web_fetch",
    websearch: "google_web_search",
    todo_write: "write_todos",
    question: "ask_user",
  },
  fields: {
    read: path,
    write: path,
    edit: { ...path, oldString: "old_string", newString: "new_string" },
    list: { path: "dir_path" },
  },
  otherNames: { grep: ["search_file_content"] },
  editing: { tool: "replace", path: "file_path", text: "new_string" },
  eventFields: { last_assistant_message: "prompt_response" },
  timestamp: "date",
  result: { text: "llmContent", error: "error" },
  modes: {},
  projectVariables: ["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  timeout: { field: "timeout", unitMs: 1, defaultMs: 60_000 },
  matcherIsPattern: true,
  unblockable: ["PreCompact"],
  blockHidesResult: true,
  inputIsPatch: true,
};
