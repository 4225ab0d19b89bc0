/** The files that a conversation changed. */
import type { FileChange, MessageView } from "@kedge/protocol";
import { remoteList } from "./remote-values.ts";

/** What the messages on the screen changed, each file once, the newest first. */
export function changedFiles(messages: readonly MessageView[]): readonly FileChange[] {
  const files = new Map<string, FileChange>();
  for (const { parts } of remoteList(messages)) {
    for (const part of remoteList(parts)) {
      if (part.type !== "patch") continue;
      for (const file of remoteList(part.files)) {
        files.delete(file.path);
        files.set(file.path, file);
      }
    }
  }
  return [...files.values()].reverse();
}
