/** The steering files that a call would change, whichever tool it uses: named, redirected to, or spoken of in its code. */
import { resolve } from "node:path";
import type { Need, ShellAnalysis } from "@kedge/protocol";
import { canonicalPermission } from "../permission/index.ts";
import { shapeOf } from "./command-rows.ts";
import { isSteeringFile, type SteeringPlaces } from "./steering-files.ts";

/** Programs that can write a file which only their code, their script or their archive names. */
const namesWhatTheyWrite: ReadonlySet<string> = new Set(
  `python python2 python3 pypy node deno bun tsx ts-node ruby perl php lua osascript Rscript julia awk gawk sh bash zsh
  tar gtar bsdtar unzip 7z 7za 7zz cpio unrar patch ed ex vi vim nvim install ln truncate`.split(/\s+/),
);

const gitWords: ReadonlySet<string> = new Set(["checkout", "restore", "apply", "mv", "rm"]);

/** Absolute paths, each once. */
export function steeringTargets(
  needs: readonly Need[],
  analyses: readonly { readonly analysis: ShellAnalysis; readonly directory: string; readonly whole: string }[],
  places: SteeringPlaces & { readonly cwd: string },
): readonly string[] {
  const targets = new Set<string>();
  const consider = (path: string) => {
    if (isSteeringFile(path, places)) targets.add(path);
  };
  for (const need of needs) {
    const isShell = canonicalPermission(need.permission) === "bash";
    if (need.access === "write") for (const path of need.paths ?? need.patterns) consider(resolve(places.cwd, path));
    // A cell of code may open any file that it names.
    if (need.access === "execute" && !isShell)
      for (const word of need.patterns.flatMap(pathsIn)) consider(inPlace(word, places.cwd, places.home));
  }
  for (const { analysis, directory, whole } of analyses) {
    for (const { path, access } of analysis.files) if (access === "write" && path !== undefined) consider(path);
    if (analysis.readOnly) continue;
    const texts = analysis.commands.filter(({ readOnly }) => !readOnly).map(({ text }) => text);
    const spoken = analysis.unknown === undefined ? texts.filter(mayWriteWhatItNames) : [whole];
    // A script on the input of an interpreter is no argument of it.
    const searched = spoken.length > 0 && /<<|\|/.test(whole) ? [...spoken, whole] : spoken;
    for (const word of searched.flatMap(pathsIn)) consider(inPlace(word, directory, places.home));
  }
  return [...targets];
}

function mayWriteWhatItNames(text: string): boolean {
  const { program, operands } = shapeOf(text);
  return namesWhatTheyWrite.has(program) || (program === "git" && gitWords.has(operands[0] ?? ""));
}

/** Only names with a dot can be meant: all steering files and folders have one. */
function pathsIn(text: string): readonly string[] {
  return text.split(/[\s"'`;&|()<>=,{}[\]]+/).filter((word) => word.includes("."));
}

function inPlace(word: string, directory: string, home: string): string {
  return resolve(
    directory,
    word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home),
  );
}
