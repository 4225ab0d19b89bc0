/** Looks into one simple command: what it runs in turn, which files it touches, where later commands run. */
import { isAbsolute, resolve } from "node:path";
import type { AnalysedCommand } from "@kedge/protocol";
import { judgeArithmetic } from "./arithmetic-place.ts";
import { isOfProcess } from "./device-files.ts";
import { followBuiltin } from "./follow-builtin.ts";
import { isPlaceless, showsNoContent } from "./known-names.ts";
import { recordMentions } from "./mentioned-files.ts";
import { noteAssignment } from "./note-assignment.ts";
import { findOddName } from "./odd-characters.ts";
import { recordFile } from "./record-file.ts";
import type { Assignment, InnerCommand, NamedFile, ProgramInsight, ShellInput, ShellWord } from "./shell-command.ts";
import { unknownVariables } from "./shell-variables.ts";
import {
  addConcern,
  type Ends,
  joinPlaces,
  noteUnknown,
  type Places,
  type ShellScope,
  type ShellWalk,
  somewhere,
} from "./shell-walk.ts";
import { nestingMax } from "./syntax/reader.ts";

export type CommandStart = {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  readonly input: ShellInput;
  /** As it was written, where values of variables were put into it. */
  readonly written?: string;
  /** Another command of the same shell passes it on. */
  readonly isPassedOn?: true;
};

/** Its commands run in the shell that calls it, so that a `cd` among them stays. */
const sameShell: ReadonlySet<string> = new Set(["eval", "command", "builtin", "trap", "source", "."]);
/** And at once, so that they know its variables. */
const sameVariables: ReadonlySet<string> = new Set(["eval", "command", "builtin"]);
/** In other shells the values of variables are split and kept in other ways. */
const followedShells: ReadonlySet<string> = new Set(["bash", "sh", "dash"]);

export function inspectCommand(walk: ShellWalk, start: CommandStart, scope: ShellScope, places: Places): Ends {
  const [program] = start.words;
  const stay: Ends = { ok: places, failed: places };
  if (program === undefined) return stay;
  const text = textOf(start.words);
  if (!program.isLiteral || program.isSplit) {
    noteUnknown(walk, `The program ${program.text} is only known at run time.`);
    walk.commands.push({ text, otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: false });
    return stay;
  }
  const odd = findOddName(program.text);
  if (odd !== undefined) noteUnknown(walk, odd);
  const name = program.text.slice(program.text.lastIndexOf("/") + 1);
  const insights = places.map((directory) => walk.lookInto({ ...start, directory }, walk.place));
  const [first, ...others] = insights;
  if (first === undefined) return stay;
  const analysed = { ...toAnalysed(walk, start, first), ...repositoriesOf(first, places) };
  const at = walk.commands.push(analysed) - 1;
  checkOpenFunctions(walk, program.text, start.input);
  let ends = stay;
  for (const inner of first.inner) ends = followInner(walk, { inner, start, name }, scope, somewhere(ends.ok, places));
  if (first.looksThrough && first.unknown === undefined && onlyLook(walk.commands.slice(at + 1)))
    walk.commands[at] = { ...analysed, readOnly: true };
  gather(walk, first, { text, name, directories: places });
  recordMentions(walk, { name, words: start.words, insight: first }, places);
  for (const { text: evaluated, isLiteral } of first.arithmetic) {
    judgeArithmetic(walk, scope.variables, { text: isLiteral ? evaluated : `$ ${evaluated}`, isWritten: false });
  }
  for (const word of start.words.slice(1)) {
    if (isOfProcess(word.text)) addConcern(walk, word.text, "It names variables, memory or files of a process.");
  }
  const isWritten = start.written === undefined && start.isPassedOn === undefined;
  followBuiltin(scope.variables, name, { words: start.words, insight: first, isWritten });
  for (const insight of others) walk.guard ??= insight.guard;
  recordPlace(walk, name, places);
  if (!sameShell.has(name)) ends = stay;
  if (program.text === "exit" || program.text === "return") return { ok: [], failed: [] };
  if (walk.functions.get(program.text)?.moves) return move(walk, places, undefined);
  return first.movesTo === undefined ? ends : move(walk, places, first.movesTo);
}

function onlyLook(started: readonly AnalysedCommand[]): boolean {
  return started.length > 0 && started.every(({ readOnly, isTransparent }) => readOnly || isTransparent);
}

export function textOf(words: readonly ShellWord[]): string {
  return words.map((word) => (word.text === "" ? "''" : word.text)).join(" ");
}

function toAnalysed(walk: ShellWalk, { words, written }: CommandStart, insight: ProgramInsight): AnalysedCommand {
  const text = textOf(words);
  const texts = new Set(insight.otherTexts);
  // A rule may forbid what was written.
  if (written !== undefined) texts.add(written);
  const program = words[0]?.text ?? "";
  const slash = program.lastIndexOf("/");
  if (slash !== -1) texts.add(program.slice(slash + 1) + text.slice(program.length));
  if (words.some((word) => word.text === "")) texts.add(textOf(words.filter((word) => word.text !== "")));
  texts.delete(text);
  const unsure = words.findIndex((word) => !word.isLiteral || word.isSplit || word.isGlob);
  return {
    text,
    otherTexts: [...texts],
    ...(unsure > 0 ? { certain: `${textOf(words.slice(0, unsure))} ` } : {}),
    isTransparent: insight.isTransparent || walk.functions.get(program)?.isSure === true,
    riskyOptions: insight.riskyOptions,
    readOnly: insight.readOnly && insight.unknown === undefined,
    ...(insight.looksAt === undefined ? {} : { looksAt: insight.looksAt }),
    ...(insight.shows === undefined ? {} : { shows: insight.shows }),
    ...(insight.readsTrees === undefined ? {} : { readsTrees: insight.readsTrees }),
    ...(insight.outward === undefined ? {} : { outward: insight.outward }),
    ...(insight.suggestion === undefined ? {} : { suggestion: insight.suggestion }),
  };
}

function repositoriesOf({ repository }: ProgramInsight, places: Places): Pick<AnalysedCommand, "repositories"> {
  if (repository === undefined) return {};
  const directories = repository.at === undefined ? places : goTo(places, repository.at);
  return { repositories: directories.filter((directory) => directory !== undefined) };
}

function checkOpenFunctions(walk: ShellWalk, program: string, input: ShellInput): void {
  if (walk.functions.has(program) && input.kind !== "inherited") walk.feedsFunction = true;
  // Later calls of the name may mean something else.
  if (program === "unset") walk.functions.clear();
}

type Around = { readonly text: string; readonly name: string; readonly directories: Places };

function gather(walk: ShellWalk, insight: ProgramInsight, { text, name, directories }: Around): void {
  for (const file of insight.files) {
    const onlyNames = file.onlyNames || showsNoContent(name);
    recordFile(walk, { ...file, by: name, ...(onlyNames && { onlyNames }) }, placesOf(file, directories));
  }
  for (const concern of insight.concerns) addConcern(walk, text, concern);
  for (const assignment of insight.assigned) noteAssignment(walk, assignment);
  if (insight.unknown !== undefined) noteUnknown(walk, `${text}: ${insight.unknown}`);
  walk.guard ??= insight.guard;
}

function placesOf(file: NamedFile, directories: Places): Places {
  return file.from === undefined ? directories : goTo(directories, file.from);
}

/** A program that runs elsewhere sees the files there even when no argument names them. */
function recordPlace(walk: ShellWalk, name: string, places: Places): void {
  if (isPlaceless(name)) return;
  for (const directory of places) {
    if (directory === walk.place.cwd) continue;
    if (directory !== undefined && walk.place.lookAtPath(directory).place === "inside") continue;
    const word = {
      text: directory ?? "an unknown directory",
      isLiteral: directory !== undefined,
      isSplit: false,
      isGlob: false,
    };
    recordFile(walk, { word, access: "read", by: name }, places);
  }
}

type InnerPlace = { readonly inner: InnerCommand; readonly start: CommandStart; readonly name: string };

function followInner(walk: ShellWalk, { inner, start, name }: InnerPlace, scope: ShellScope, places: Places): Ends {
  const stay: Ends = { ok: places, failed: places };
  if (inner.kind === "unknown") {
    noteUnknown(walk, `${textOf(start.words)}: ${inner.why}`);
    return stay;
  }
  if (scope.depth >= nestingMax) {
    noteUnknown(walk, "It is nested too deeply.");
    return stay;
  }
  const startPlaces = inner.directory === undefined ? places : goTo(places, inner.directory);
  const isSame = sameShell.has(name);
  const variables = sameVariables.has(name)
    ? scope.variables
    : unknownVariables(scope.variables, { isFollowed: followedShells.has(name) });
  const isPlain = isSame && scope.isPlain;
  const innerScope: ShellScope = { input: start.input, depth: scope.depth + 1, isPlain, variables };
  if (inner.kind === "words") {
    const innerStart = {
      words: inner.words,
      assignments: start.assignments,
      input: start.input,
      isPassedOn: true,
    } as const;
    return inspectCommand(walk, innerStart, innerScope, startPlaces);
  }
  return walk.walkText(walk, inner.text, innerScope, startPlaces);
}

function goTo(places: Places, word: ShellWord): Places {
  if (!word.isLiteral) return [undefined];
  return places.map((place) => {
    if (isAbsolute(word.text)) return resolve(word.text);
    return place === undefined ? undefined : resolve(place, word.text);
  });
}

function move(walk: ShellWalk, places: Places, target: { readonly word: ShellWord | undefined } | undefined): Ends {
  walk.moves += 1;
  const word = target?.word;
  if (word === undefined) return { ok: [undefined], failed: joinPlaces(places, [undefined]) };
  return { ok: goTo(places, word), failed: places };
}
