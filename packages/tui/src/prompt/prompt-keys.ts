/** The keys that edit and move in the prompt, by their names. Every other key is the app's. */
import type { BufferAction } from "./text-buffer.ts";

export const editingKeys: ReadonlyMap<string, BufferAction> = new Map([
  ["left", "left"],
  ["right", "right"],
  ["ctrl+left", "wordLeft"],
  ["alt+left", "wordLeft"],
  ["alt+b", "wordLeft"],
  ["ctrl+right", "wordRight"],
  ["alt+right", "wordRight"],
  ["alt+f", "wordRight"],
  ["home", "lineStart"],
  ["ctrl+a", "lineStart"],
  ["meta+left", "lineStart"],
  ["end", "lineEnd"],
  ["ctrl+e", "lineEnd"],
  ["meta+right", "lineEnd"],
  ["ctrl+home", "textStart"],
  ["ctrl+end", "textEnd"],
  ["backspace", "eraseLeft"],
  ["shift+backspace", "eraseLeft"],
  ["ctrl+h", "eraseLeft"],
  ["delete", "eraseRight"],
  ["shift+delete", "eraseRight"],
  ["ctrl+d", "eraseRight"],
  ["ctrl+w", "killBlankLeft"],
  ["alt+backspace", "killWordLeft"],
  ["ctrl+backspace", "killWordLeft"],
  ["alt+d", "killWordRight"],
  ["alt+delete", "killWordRight"],
  ["ctrl+delete", "killWordRight"],
  ["ctrl+u", "killToLineStart"],
  ["ctrl+k", "killToLineEnd"],
  ["ctrl+y", "yank"],
  ["alt+y", "yankOlder"],
  ["ctrl+_", "undo"],
  ["ctrl+-", "undo"],
  ["ctrl+shift+-", "redo"],
  ["ctrl+shift+_", "redo"],
]);

/** Alt with Enter is not among them: it sends a prompt that waits. */
export const newLineKeys: ReadonlySet<string> = new Set(["shift+enter", "ctrl+j"]);
