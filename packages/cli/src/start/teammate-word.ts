/** The first word of the command line of a worker in a pane. Nobody types it, so that no help lists it. */
export const teammateWord = "teammate";

/** Whether a file of a leader follows; anything else is a prompt. */
export function isLaunch(words: readonly string[]): boolean {
  return words.length === 1 && /[/\\]launches[/\\][^/\\]+\.json$/.test(words[0] ?? "");
}
