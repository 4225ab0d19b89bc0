/** Which paths an answer about a call holds for: where it would run, what it would touch, and the scripts it would start. */
import { basename, resolve } from "node:path";
import type { Need, ShellAnalysis, Workspace } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { WantedMark } from "../../gates/index.ts";
import { canonicalPermission, wordsOf } from "../../permission/index.ts";
import {
  attachedTo,
  hasAssignment,
  moduleFiles,
  searchDirectories,
  startedBy,
  withoutWorkingDirectory,
} from "./module-files.ts";

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
    ...directories.flatMap((from) => moduleMarks(words, searchDirectories(command), { from, home })),
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

type Words = {
  readonly inOrder: readonly string[];
  readonly all: ReadonlySet<string>;
  /** What could name a module. */
  readonly started: ReadonlySet<string>;
  /** What could name a folder full of code. */
  readonly interpreted: ReadonlySet<string>;
};

/** Every word that could name a script. Commands that only look run none. */
function wordsIn(command: string, { commands, unknown }: ShellAnalysis): Words {
  const texts = commands.map(({ text }) => text);
  const acting = commands.filter(({ readOnly }) => !readOnly).map(({ text }) => withoutWorkingDirectory(text));
  const isUnread = unknown !== undefined || commands.length === 0;
  const plain = withoutWorkingDirectory(command);
  // What is assigned may be run without being named again, as with BASH_ENV and NODE_OPTIONS.
  const isWhole = isUnread || hasAssignment(plain);
  const all = new Set([...acting.flatMap((text) => text.split(" ")), ...(isWhole ? wordsOf(plain) : [])]);
  for (const word of [...all]) {
    const attached = attachedTo(word);
    if (attached !== undefined) all.add(attached);
  }
  for (const text of acting) for (const name of namesWithSpaces(text)) all.add(name);
  const started = [...acting, ...(isUnread ? [wordsOf(plain).join(" ")] : [])].map(startedBy);
  return {
    inOrder: [...texts, ...(isUnread ? [command] : [])].flatMap(wordsOf),
    all,
    started: new Set(started.flatMap(({ words }) => words)),
    interpreted: new Set(started.flatMap(({ interpreted }) => interpreted)),
  };
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

type From = { readonly from: string; readonly home: string };

/** What an interpreter would find under a name, and what lies in the folders where it would look. */
function moduleMarks(
  { started, interpreted }: Words,
  searched: readonly string[],
  { from, home }: From,
): readonly WantedMark[] {
  const folders = searched.map((directory) => resolve(from, withHome(directory, home)));
  const names = [...started].map((word) => withHome(word, home));
  const files = names.flatMap((name) => moduleFiles(name).map((file) => resolve(from, file)));
  const found = folders.flatMap((folder) =>
    names.flatMap((name) => [name, ...moduleFiles(name)].map((file) => resolve(folder, file))),
  );
  const code = [...folders, ...[...interpreted].map((word) => resolve(from, withHome(word, home)))];
  return [
    ...[...files, ...found].map((path) => ({ path, of: "script" }) as const),
    ...code.map((path) => ({ path, of: "code" }) as const),
  ];
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

/** Of several marks of one path the one that notices most counts; the code in a folder is noticed beside the rest. */
function distinct(wanted: readonly WantedMark[]): readonly WantedMark[] {
  const marks = new Map<string, WantedMark["of"]>();
  const folders = new Set<string>();
  for (const { path, of } of wanted) {
    if (of === "code") {
      folders.add(path);
      continue;
    }
    const known = marks.get(path) ?? of;
    marks.set(path, known === of ? of : known === "directory" || of === "directory" ? "directory" : "content");
  }
  return [
    ...[...marks].map(([path, of]) => ({ path, of })),
    ...[...folders].map((path) => ({ path, of: "code" }) as const),
  ];
}
