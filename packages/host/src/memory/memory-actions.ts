/** What `/memory` and `kedge memory` can do, by the first word. */
export const memoryActions = [
  "list",
  "show",
  "add",
  "forget",
  "inbox",
  "prefer",
  "rename",
  "promote",
  "lint",
  "undo",
  "path",
  "on",
  "off",
] as const;

export type MemoryAction = (typeof memoryActions)[number];

export function isMemoryAction(word: string): word is MemoryAction {
  return memoryActions.some((action) => action === word);
}
