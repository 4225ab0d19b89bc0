/** Short ways to write the calls of a scripted agent. */
import type { Json } from "@kedge/protocol";
import type { Call, Step } from "./undo-site.ts";

export function bash(command: string): Step {
  return [{ tool: "bash", input: { command, description: "for the test" } }];
}

function call(tool: string, input: { readonly [name: string]: Json }): Call {
  return { tool, input };
}

export const write = (filePath: string, content: string): Step => [call("write", { filePath, content })];
export const edit = (filePath: string, oldString: string, newString: string): Step => [
  call("read", { filePath }),
  call("edit", { filePath, oldString, newString }),
];
export const multiEdit = (filePath: string, ...pairs: readonly (readonly [string, string])[]): Step => [
  call("read", { filePath }),
  call("multi_edit", { filePath, edits: pairs.map(([oldString, newString]) => ({ oldString, newString })) }),
];
export const read = (filePath: string): Step => [call("read", { filePath })];
export const patch = (...lines: readonly string[]): Step => [
  call("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }),
];
export const notebook = (source: string): Step => [
  call("read", { filePath: "book.ipynb" }),
  call("notebook_edit", { path: "book.ipynb", cellId: "c1", mode: "replace", source }),
];
/** All in one step. */
export const together = (...steps: readonly Step[]): Step => steps.flat();
