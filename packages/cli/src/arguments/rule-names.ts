/** The names that a rule of the command line may speak about, so that a mistyped one is refused and not ignored. */
import { ruleTexts } from "../texts/arguments.ts";
import { nearWords } from "./near-words.ts";

/** Tools and permissions, with the names that other programs give them. Underscores and capitals do not count. */
const ruleNames: readonly string[] = [
  "read",
  "view",
  "edit",
  "write",
  "multi_edit",
  "apply_patch",
  "patch",
  "edit_lines",
  "ast_edit",
  "notebook_edit",
  "notebook_read",
  "bash",
  "shell",
  "bash_output",
  "bash_kill",
  "kill_shell",
  "job",
  "glob",
  "find",
  "grep",
  "search",
  "ast_grep",
  "codesearch",
  "list",
  "ls",
  "webfetch",
  "websearch",
  "memory_search",
  "scratch",
  "agent",
  "task",
  "task_create",
  "task_get",
  "task_list",
  "task_update",
  "skill",
  "todo",
  "todo_read",
  "todo_write",
  "question",
  "ask_user_question",
  "lsp",
  "plan",
  "plan_enter",
  "plan_exit",
  "enter_plan_mode",
  "exit_plan_mode",
  "reproduce",
  "grade_tests",
  "worktree",
  "worktree_enter",
  "worktree_exit",
  "batch",
  "checkpoint",
  "rewind",
  "resolve",
  "tool_search",
  "structured_output",
  "external_directory",
  "doom_loop",
  "secret_file",
];

/**
 * What was expected where the rule names nothing that there is. Patterns, names with `__` or `.`, which other programs
 * bring, and what is no rule at all are left to whoever reads the rule. `tools` are those that this place of work has besides.
 */
export function unknownRuleName(argument: string, tools: readonly string[] = []): string | undefined {
  const names = [...ruleNames, ...tools];
  for (const rule of withoutPatterns(argument).split(",")) {
    const name = rule.trim();
    if (!/^[A-Za-z][\w-]*$/.test(name) || name.includes("__")) continue;
    const wanted = comparable(name);
    if (names.some((known) => comparable(known) === wanted)) continue;
    const [nearest] = nearWords(name, names, 1);
    const guess = nearest === undefined ? "" : ruleTexts.guess(nearest);
    return ruleTexts.expected(guess);
  }
  return undefined;
}

function withoutPatterns(argument: string): string {
  return argument.replaceAll(/\(.*?\)(?=\s*(?:,|$))/gs, "");
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
