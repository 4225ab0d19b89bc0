/** Commands whose names the user's own shell files give another meaning: what they do cannot be told from their names. */
import type { AnalyseShell } from "@kedge/protocol";

export function withRedefinedWords(analyse: AnalyseShell, words: () => readonly string[]): AnalyseShell {
  return (command, place) => {
    const analysis = analyse(command, place);
    const redefined = words();
    if (redefined.length === 0) return analysis;
    const known = new Set(redefined);
    const found = analysis.commands.map(({ text }) => text.split(" ", 1)[0] ?? "").find((name) => known.has(name));
    if (found === undefined) return analysis;
    return { ...analysis, unknown: `${found} is redefined by your shell's start-up files`, readOnly: false };
  };
}
