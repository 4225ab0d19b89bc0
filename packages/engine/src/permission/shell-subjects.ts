/** What a shell command needs, one subject for each thing it would do: commands, files, and what cannot be known. */
import { dirname } from "node:path";
import type { AnalysedCommand, FileUse, Need, OtherName, ShellAnalysis } from "@kedge/protocol";
import { pathSpellings } from "./absolute-path.ts";
import { closingPatterns, isArchive, mayCloseBelow } from "./closing-rules.ts";
import { exactly } from "./glob.ts";
import { namesOutside, otherName, withBelow } from "./path-subjects.ts";
import { holdLooks, isPlainLook, type LookHold } from "./plain-looks.ts";
import { commandTexts } from "./shell-text.ts";
import type { Floor, JudgeCall, JudgeContext, Subject } from "./subject.ts";

export type ShellNeed = {
  readonly subjects: readonly Subject[];
  /** Paths that the command names, under each of their names, to be checked as other tools' paths are. */
  readonly paths: readonly string[];
  /** Directories outside of the workspace that it would reach into, in every spelling. */
  readonly outside: readonly OtherName[];
};

/** As the analysis names a file that the shell itself opens. */
export const redirection = "redirection";

const noTexts: readonly string[] = [];
/** More than this many grants would be more than a person reads. */
const suggestionsMax = 5;

export function shellNeed(command: string, need: Need, call: JudgeCall, context: JudgeContext): ShellNeed {
  const { root = call.cwd } = context;
  const analysis = analyse(command, need, call, context);
  const suggestions = suggestionsFor(analysis);
  const offers = (always: string | undefined): readonly string[] => {
    if (need.always.length === 0) return [];
    return suggestions !== undefined && always !== undefined ? [always] : [command];
  };
  const hold = holdLooks(analysis, { confinesLooks: context.confinesLooks === true, whole: command });
  const closing = context.isTrial ? [] : closingPatterns(context);
  const around = { root, home: context.home ?? "/", directory: need.paths?.[0] ?? call.cwd };
  const subjects: Subject[] = analysis.commands.map((one) => ({
    ...commandSubject(one, command, offers(one.suggestion), hold),
    ...(closing.length > 0 && unnamedContent(one, { analysis, closing, hold, around })),
  }));
  // An assignment or a test by itself is nothing that runs, but somebody may have a rule for it.
  if (subjects.length === 0 && analysis.unknown === undefined) subjects.push(wholeSubject(command, offers(undefined)));
  if (analysis.unknown !== undefined) subjects.push(unreadable(command, analysis.unknown, context));
  for (const { text, why } of analysis.concerns) {
    subjects.push({
      ...plainSubject("bash", text, command),
      floor: { kind: "concern", why },
      always: offers(undefined),
    });
  }
  if (analysis.guard !== undefined) {
    subjects.push({ ...plainSubject("bash", command, command), floor: { kind: "guard", why: analysis.guard } });
  }
  for (const file of analysis.files) {
    const always = file.path === undefined || need.always.length === 0 ? offers(undefined) : exactly(file.path);
    const subject = fileSubject(file, command, { always, root });
    subjects.push(closing.length > 0 && mayUnpack(file, analysis) ? { ...subject, floor: packed } : subject);
    for (const name of file.otherNames ?? []) subjects.push({ ...otherName(name, subject, root), whole: command });
  }
  const known = analysis.files.flatMap(({ path, isMentioned, otherNames = [] }) =>
    path === undefined || isMentioned === "text" ? [] : [path, ...otherNames.flat()],
  );
  const outside = analysis.files.flatMap(({ path, place, isMentioned, otherNames = [] }) =>
    path === undefined || place === "inside" || isMentioned !== undefined
      ? []
      : namesOutside(path, otherNames, root).map((name) => name.map((spelling) => dirname(spelling))),
  );
  return { subjects, paths: known, outside };
}

function analyse(command: string, need: Need, call: JudgeCall, context: JudgeContext): ShellAnalysis {
  const nothing = { commands: [], files: [], concerns: [], readOnly: false, looksAt: "files" } as const;
  if (context.analyseShell === undefined) return { ...nothing, unknown: "commands are not read here" };
  const { lookAtPath, home = "/", root = call.cwd } = context;
  return context.analyseShell(command, { cwd: need.paths?.[0] ?? call.cwd, root, home, lookAtPath });
}

/** One prefix for each command that might be asked about; undefined when some have none, so that only all will do. */
function suggestionsFor({ commands, concerns, unknown, guard }: ShellAnalysis): readonly string[] | undefined {
  if (unknown !== undefined || guard !== undefined || concerns.length > 0) return undefined;
  const judged = commands.filter(({ isTransparent }) => !isTransparent);
  const suggestions = judged.flatMap(({ suggestion }) => (suggestion === undefined ? [] : [suggestion]));
  const isComplete = suggestions.length === judged.length && new Set(suggestions).size <= suggestionsMax;
  return isComplete ? suggestions : undefined;
}

function commandSubject(command: AnalysedCommand, whole: string, always: readonly string[], look: LookHold): Subject {
  return {
    ...plainSubject("bash", command.text, whole),
    commandTexts: command.otherTexts,
    always,
    riskyOptions: command.riskyOptions,
    ...(command.certain !== undefined && { certain: command.certain }),
    ...(command.isTransparent && { isTransparent: true }),
    // What asks is only what is not on the short list, where not all of the text is.
    ...(command.readOnly && { look: look === "not" && isPlainLook(command) ? "plain" : look }),
    ...(command.outward !== undefined && { outward: command.outward }),
  };
}

type Unnamed = {
  readonly analysis: ShellAnalysis;
  readonly closing: readonly string[];
  readonly hold: LookHold;
  readonly around: { readonly root: string; readonly home: string; readonly directory: string };
};

/** What follows from content that a command comes upon: closed files are hidden from it, or a person is asked. */
function unnamedContent(command: AnalysedCommand, { analysis, closing, hold, around }: Unnamed): Partial<Subject> {
  const { shows, text, repositories = [] } = command;
  if (shows === "names" || /^cd(?: |$)/.test(text)) return { onlyNames: true };
  if (shows === undefined) return {};
  const program = programOf(text);
  const named = analysis.files.flatMap(({ by, access, path }) =>
    by === program && access === "read" && path !== undefined ? [path] : [],
  );
  const directories = shows === "files" && named.length > 0 ? named : [around.directory];
  if (!mayCloseBelow(closing, directories, around)) return {};
  if (hold === "confined")
    return { needsView: true, ...(shows === "history" && { histories: [around.directory, ...repositories] }) };
  return { floor: { kind: "concern", why: "it may read files that your rules deny" } };
}

/** They print what is in an archive, besides those that only look. */
const unpackers: ReadonlySet<string> = new Set(["7z", "7za", "7zz", "unrar", "cpio", "ar", redirection]);

/** What an archive holds may be a copy of a closed file, under any name. */
function mayUnpack({ path, access, by, onlyNames, isMentioned }: FileUse, { commands }: ShellAnalysis): boolean {
  if (access !== "read" || path === undefined || onlyNames || isMentioned !== undefined || !isArchive(path))
    return false;
  return unpackers.has(by) || commands.some(({ text, readOnly }) => readOnly && programOf(text) === by);
}

function programOf(text: string): string {
  return (text.split(" ", 1)[0] ?? "").replace(/^.*\//, "");
}

const packed: Floor = { kind: "concern", why: "it may contain files that your rules deny" };

function wholeSubject(command: string, always: readonly string[]): Subject {
  return { ...plainSubject("bash", command, command), always };
}

/** Deny and ask rules are tried wherever a word begins; no allow but one of the whole text can match. */
function unreadable(command: string, why: string, context: JudgeContext): Subject {
  return {
    ...plainSubject("bash", command, command),
    commandTexts: commandTexts(command, context.home),
    isRaw: true,
    floor: { kind: "unknown", why },
    always: [command],
  };
}

type FileWish = { readonly always: readonly string[]; readonly root: string };

function fileSubject(file: FileUse, whole: string, { always, root }: FileWish): Subject {
  const permission = file.access === "write" ? "edit" : "read";
  const subject = plainSubject(permission, file.text, whole);
  if (file.path === undefined) {
    const why = `it is unclear which file ${file.by} ${file.access === "write" ? "writes" : "reads"}`;
    return { ...subject, floor: { kind: "concern", why }, always };
  }
  const names = pathSpellings(file.path, root);
  // A command may have left the directory from which a grant is spelled.
  const spelled = { spellings: file.access === "read" ? withBelow(names) : names, grantSpellings: [file.path] };
  const placed = { ...subject, ...spelled, path: file.path, place: file.place, always };
  if (file.isProtected && file.access === "write") {
    return { ...placed, floor: { kind: "guard", why: `${file.path} affects what runs later` }, always: [] };
  }
  // What a program does to its arguments was permitted with the program; a redirection is an edit of its own.
  return file.by === redirection ? placed : { ...placed, isCovered: true };
}

function plainSubject(permission: string, stated: string, whole: string): Subject {
  return { permission, stated, spellings: [stated], commandTexts: noTexts, always: [], whole };
}
