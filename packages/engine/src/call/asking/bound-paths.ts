/** Which paths an answer about a call holds for: where it would run, what it would touch, and the scripts it would start. */
import { basename, resolve } from "node:path";
import type { Need, ShellAnalysis, Workspace } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { WantedMark } from "../../gates/index.ts";
import { canonicalPermission, wordsOf } from "../../permission/index.ts";

/** Far more than a person would read of one call. */
const pathsMax = 20_000;

export type BoundPlace = Pick<Workspace, "cwd" | "root" | "home" | "lookAtPath" | "analyseShell">;

/** Throws for a call that names more than can be looked at while somebody waits. */
export function boundPaths(needs: readonly Need[], place: BoundPlace): readonly WantedMark[] {
  const wanted: WantedMark[] = [{ path: place.cwd, of: "directory" }];
  for (const need of needs) {
    if (canonicalPermission(need.permission) === "bash") {
      for (const command of need.patterns) wanted.push(...commandPaths(command, need.paths?.[0] ?? place.cwd, place));
    } else {
      // What is only read may change at any time; a file that is written was shown with the change.
      const of = need.access === "write" ? "content" : "place";
      wanted.push(...(need.paths ?? []).map((path) => ({ path: resolve(place.cwd, path), of }) as const));
    }
  }
  const marks = distinct(wanted);
  if (marks.length > pathsMax) throw new Error(`it names more than ${pathsMax.toLocaleString("en-US")} paths.`);
  return marks;
}

function commandPaths(command: string, directory: string, place: BoundPlace): readonly WantedMark[] {
  const { root, home, lookAtPath } = place;
  const analysis = place.analyseShell(command, { cwd: directory, root, home, lookAtPath });
  const words = wordsIn(command, analysis);
  const directories = directoriesOf(words.inOrder, directory, home);
  return [
    { path: directory, of: "directory" },
    ...fileMarks(analysis),
    ...directories.flatMap((from) => scriptMarks(words, from, home)),
  ];
}

/** A program that only looks at a file does the same whatever it holds; any other may take it for a script. */
function fileMarks({ commands, files }: ShellAnalysis): readonly WantedMark[] {
  const lookers = new Set(commands.filter(({ readOnly }) => readOnly).map(({ text }) => programOf(text)));
  return files.flatMap(({ path, access, by }): readonly WantedMark[] => {
    if (path === undefined) return [];
    return [{ path, of: access === "write" || lookers.has(programOf(by)) ? "place" : "content" }];
  });
}

type Words = { readonly inOrder: readonly string[]; readonly all: ReadonlySet<string> };

/** Every word that could name a script. Commands that only look run none. */
function wordsIn(command: string, { commands, unknown }: ShellAnalysis): Words {
  const texts = commands.map(({ text }) => text);
  const acting = commands.filter(({ readOnly }) => !readOnly).map(({ text }) => text);
  const isUnread = unknown !== undefined || commands.length === 0;
  const all = new Set([...acting.flatMap((text) => text.split(" ")), ...(isUnread ? wordsOf(command) : [])]);
  // An option may have its file attached, as in -fbuild.mk and --config=build.js.
  for (const word of [...all]) {
    const attached = /^(?:-[a-zA-Z]|--[\w-]+=)(.+)$/.exec(word)?.[1];
    if (attached !== undefined) all.add(attached);
  }
  for (const text of acting) for (const name of namesWithSpaces(text)) all.add(name);
  return { inOrder: [...texts, ...(isUnread ? [command] : [])].flatMap(wordsOf), all };
}

const wordsInName = 6;

/** The program itself may have spaces in its name. */
function namesWithSpaces(text: string): readonly string[] {
  const words = text.split(" ").slice(0, wordsInName);
  return words.map((_, index) => words.slice(0, index + 1).join(" ")).slice(1);
}

const entering: ReadonlySet<string> = new Set(["cd", "pushd", "-C", "--cwd", "--dir", "--directory", "--prefix"]);
const directoriesMax = 8;

/** Where the command would be in turn. */
function directoriesOf(words: readonly string[], start: string, home: string): readonly string[] {
  const directories = [start];
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (!entering.has(word) || next === undefined || directories.length >= directoriesMax) continue;
    const entered = withHome(next, home);
    directories.push(resolve(start, entered), resolve(directories.at(-1) ?? start, entered));
  }
  return [...new Set(directories)];
}

function scriptMarks({ all }: Words, from: string, home: string): readonly WantedMark[] {
  const known = [...new Set([...all].map(programOf))].flatMap((program) => runnerFiles.get(program) ?? []);
  const named = [...all].filter((word) => word !== "").map((word) => withHome(word, home));
  return [...known, ...named].map((name) => ({ path: resolve(from, name), of: "script" }));
}

/** What programs run without being told its name. */
const runnerFiles: ReadonlyMap<string, readonly string[]> = new Map(
  // The file beside holds lists of names alone.
  Object.entries(
    JSON.parse(textBeside(import.meta.url, "./runner-files.json")) as {
      readonly [programs: string]: readonly string[];
    },
  ).flatMap(([programs, names]) => programs.split(" ").map((program) => [program, names] as const)),
);

function programOf(text: string): string {
  return basename(text.split(" ", 1)[0] ?? "");
}

function withHome(word: string, home: string): string {
  return word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}

/** Of several marks of one path the one that notices most counts. */
function distinct(wanted: readonly WantedMark[]): readonly WantedMark[] {
  const marks = new Map<string, WantedMark["of"]>();
  for (const { path, of } of wanted) {
    const known = marks.get(path) ?? of;
    marks.set(path, known === of ? of : known === "directory" || of === "directory" ? "directory" : "content");
  }
  return [...marks].map(([path, of]) => ({ path, of }));
}
