/** Reads shell commands with the analysis of `sandbox`, loaded with the first command: most starts need none of it. */
import type { AnalyseShell } from "@kedge/protocol";
import type { lookVariables } from "@kedge/sandbox/shell";

export type ShellReading = {
  /** Until it is loaded nothing is understood, so that everything asks. */
  readonly analyse: AnalyseShell;
  /** What of an environment a command that only looks is given; nothing looks before it is loaded. */
  readonly lookEnvironment: typeof lookVariables;
  /** Resolves when commands are understood. */
  load(): Promise<void>;
};

const unread =
  (unknown: string): AnalyseShell =>
  () => ({ commands: [], files: [], concerns: [], unknown, readOnly: false, looksAt: "files" });
const notLoaded = unread("commands cannot be analyzed yet");
/** PowerShell and cmd read a text otherwise than bash, so nothing that bash would make of it may permit it. */
const notBash = unread("commands of this system's shell cannot be analyzed");

export type ShellReadingParts = {
  /** Names that the user's own shell files give another meaning. */
  readonly redefined: () => readonly string[];
  /** The file of the project that a program's name leads to, in place of the program that a rule means. */
  readonly programOfProject: (
    name: string,
    use: { readonly cwd: string; readonly isKnown: boolean },
  ) => string | undefined;
  /** What git would run there by the configuration of the repository around it, unless the user trusts that one. */
  readonly untrustedGitProgram: (directory: string) => string | undefined;
  readonly platform: string;
};

export function createShellReading(parts: ShellReadingParts): ShellReading {
  const { redefined, programOfProject, untrustedGitProgram, platform } = parts;
  let analyse = notLoaded;
  let lookEnvironment: ShellReading["lookEnvironment"] = (environment) => environment;
  let loading: Promise<void> | undefined;
  return {
    analyse: (command, place) => {
      const read = withoutRedefined(analyse(command, place), redefined());
      const analysis = withProjectProgram(read, (name, isKnown) => programOfProject(name, { cwd: place.cwd, isKnown }));
      const directories = new Set(analysis.commands.flatMap(({ repositories }) => repositories ?? []));
      for (const directory of directories) {
        const program = untrustedGitProgram(directory);
        if (program !== undefined) return withGitProgram(analysis, program);
      }
      return analysis;
    },
    lookEnvironment: (environment, options) => lookEnvironment(environment, options),
    load() {
      loading ??= import("@kedge/sandbox/shell").then(({ analyseShell, lookVariables }) => {
        analyse = platform === "win32" ? notBash : analyseShell;
        lookEnvironment = lookVariables;
      });
      return loading;
    },
  };
}

/** A repository can be brought by strangers with all of its configuration, in an archive for instance. */
function withGitProgram(analysis: ReturnType<AnalyseShell>, program: string): ReturnType<AnalyseShell> {
  const why = `this repository's git configuration runs programs (${program}), and the project is not trusted`;
  return { ...analysis, concerns: [...analysis.concerns, { text: "git", why }], readOnly: false };
}

/** What only looks is started without the directories of the project in its search path. */
function withProjectProgram(
  analysis: ReturnType<AnalyseShell>,
  find: (name: string, isKnown: boolean) => string | undefined,
): ReturnType<AnalyseShell> {
  if (analysis.readOnly) return analysis;
  for (const { text, readOnly } of analysis.commands) {
    const [name = ""] = text.split(" ", 1);
    const found = find(name, readOnly);
    if (found === undefined) continue;
    const why = `${name} resolves to ${found}, a project file on the search path`;
    return { ...analysis, concerns: [...analysis.concerns, { text, why }] };
  }
  return analysis;
}

/** What such a command does cannot be told from its name. */
function withoutRedefined(analysis: ReturnType<AnalyseShell>, words: readonly string[]): ReturnType<AnalyseShell> {
  if (words.length === 0) return analysis;
  const known = new Set(words);
  const found = analysis.commands.map(({ text }) => text.split(" ", 1)[0] ?? "").find((name) => known.has(name));
  if (found === undefined) return analysis;
  return { ...analysis, unknown: `${found} is redefined by your shell's startup files`, readOnly: false };
}
