/** Words that leave kedge when they are all that was typed, as they leave a shell or an editor. */
const exitWords: ReadonlySet<string> = new Set(["exit", "quit", ":q", ":q!", ":wq"]);

export function isExitWord(line: string): boolean {
  return exitWords.has(line.trim().toLowerCase());
}
