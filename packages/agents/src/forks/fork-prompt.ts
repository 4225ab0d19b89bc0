/** The first message of a fork: that it is one, how it works, and its task. */
import { forkMark } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

/** Equal for all forks up to the task, so that siblings share every byte before it. */
export function forkPrompt(task: string): string {
  return `${forkMark}\n${textBeside(import.meta.url, "./fork.md").trimEnd()}\n\n${task}`;
}
