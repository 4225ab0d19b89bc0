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
  looksAt: "files",
});

export type ShellReadingParts = {
  /** Names that the user's own shell files give another meaning. */
  readonly redefined: () => readonly string[];
  /** What git would run there by the configuration of the repository around it, unless the user trusts that one. */
  readonly untrustedGitProgram: (directory: string) => string | undefined;
};

export function createShellReading({ redefined, untrustedGitProgram }: ShellReadingParts): ShellReading {
  let analyse = notLoaded;
  let loading: Promise<void> | undefined;
  return {
    analyse: (command, place) => {
      const analysis = withoutRedefined(analyse(command, place), redefined());
      const directories = new Set(analysis.commands.flatMap(({ repositories }) => repositories ?? []));
      for (const directory of directories) {
        const program = untrustedGitProgram(directory);
        if (program !== undefined) return withGitProgram(analysis, program);
      }
      return analysis;
    },
    load() {
      loading ??= import("@kedge/sandbox/shell").then(({ analyseShell }) => {
        analyse = analyseShell;
      });
      return loading;
    },
  };
}

/** A repository can be brought by strangers with all of its configuration, in an archive for instance. */
function withGitProgram(analysis: ReturnType<AnalyseShell>, program: string): ReturnType<AnalyseShell> {
  const why = `git would run what this repository's configuration says (${program}), and it is not trusted`;
  return { ...analysis, concerns: [...analysis.concerns, { text: "git", why }], readOnly: false };
}

/** What such a command does cannot be told from its name. */
function withoutRedefined(analysis: ReturnType<AnalyseShell>, words: readonly string[]): ReturnType<AnalyseShell> {
  if (words.length === 0) return analysis;
  const known = new Set(words);
  const found = analysis.commands.map(({ text }) => text.split(" ", 1)[0] ?? "").find((name) => known.has(name));
  if (found === undefined) return analysis;
  return { ...analysis, unknown: `${found} is redefined by your shell's start-up files`, readOnly: false };
}
