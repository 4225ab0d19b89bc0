/** Reads shell commands with the analysis of `sandbox`, loaded with the first command: most starts need none of it. */
import type { AnalyseShell } from "@kedge/protocol";

export type ShellReading = {
  /** Until it is loaded nothing is understood, so that everything asks. */
  readonly analyse: AnalyseShell;
  /** Resolves when commands are understood. */
  load(): Promise<void>;
};

const notLoaded: AnalyseShell = () => ({
  commands: [],
  files: [],
  concerns: [],
  unknown: "commands cannot be read yet",
  readOnly: false,
});

/** `redefined` are names that the user's own shell files give another meaning. */
export function createShellReading({ redefined }: { readonly redefined: () => readonly string[] }): ShellReading {
  let analyse = notLoaded;
  let loading: Promise<void> | undefined;
  return {
    analyse: (command, place) => withoutRedefined(analyse(command, place), redefined()),
    load() {
      loading ??= import("@kedge/sandbox/shell").then(({ analyseShell }) => {
        analyse = analyseShell;
      });
      return loading;
    },
  };
}

/** What such a command does cannot be told from its name. */
function withoutRedefined(analysis: ReturnType<AnalyseShell>, words: readonly string[]): ReturnType<AnalyseShell> {
  if (words.length === 0) return analysis;
  const known = new Set(words);
  const found = analysis.commands.map(({ text }) => text.split(" ", 1)[0] ?? "").find((name) => known.has(name));
  if (found === undefined) return analysis;
  return { ...analysis, unknown: `${found} is redefined by your shell's start-up files`, readOnly: false };
}
