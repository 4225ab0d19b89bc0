/** Tools as OpenCode's plugins know them; most have the same name and the same fields here. */

const theirs: { readonly [ours: string]: string } = {
  todo_write: "todowrite",
  todo_read: "todoread",
  apply_patch: "patch",
  agent: "task",
};

export function shownTool(tool: string): string {
  return theirs[tool] ?? tool;
}
