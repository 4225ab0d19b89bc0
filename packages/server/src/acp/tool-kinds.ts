/** The table of tools as an editor groups them. */
import type { ToolKind } from "@agentclientprotocol/sdk";

const kinds: { readonly [tool: string]: ToolKind } = {
  read: "read",
  list: "read",
  glob: "search",
  grep: "search",
  ast_grep: "search",
  codesearch: "search",
  memory_search: "search",
  tool_search: "search",
  edit: "edit",
  edit_lines: "edit",
  multi_edit: "edit",
  write: "edit",
  apply_patch: "edit",
  notebook_edit: "edit",
  ast_edit: "edit",
  resolve: "edit",
  bash: "execute",
  bash_output: "execute",
  bash_kill: "execute",
  job: "execute",
  webfetch: "fetch",
  websearch: "fetch",
  todo_write: "think",
  todo_read: "think",
  checkpoint: "think",
  rewind: "think",
  plan_enter: "switch_mode",
  plan_exit: "switch_mode",
};

export function toolKindOf(tool: string): ToolKind {
  return kinds[tool] ?? "other";
}
