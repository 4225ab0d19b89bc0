/** Turns the needs of a call into subjects: the single things that rules, mode and defaults each decide about. */
import { dirname } from "node:path";
import { isNetworkShare, type Need, type OtherName, type PathLook } from "@kedge/protocol";
import { absolutePath, pathSpellings } from "./absolute-path.ts";
import { canonicalPermission } from "./names.ts";
import { externalDirectory, namesOutside, otherName, secretFile, withBelow } from "./path-subjects.ts";
import { isForbiddenFile, isSecretFile } from "./secret-files.ts";
import { shellNeed } from "./shell-subjects.ts";
import { wordsOf } from "./shell-text.ts";
import type { Floor, JudgeCall, JudgeContext, Subject } from "./subject.ts";

/** The string for a need that states none: only catch-all rules reach it. */
const anything = "*";

/** Permissions whose paths are directories to look through, not files in one. What they show of a file is a reading of it. */
const directoryPermissions: ReadonlySet<string> = new Set(["list", "glob", "grep"]);

const noTexts: readonly string[] = [];

export function subjectsOf(call: JudgeCall, context: JudgeContext): readonly Subject[] {
  const subjects: Subject[] = [];
  const looks = new Map<string, PathLook>();
  const outside = new Map<string, OtherName>();
  const secrets = new Set<string>();
  for (const need of call.needs) {
    const permission = canonicalPermission(need.permission);
    const paths = (need.paths ?? []).map((path) => absolutePath(call.cwd, path));
    for (const path of paths) {
      if (looks.has(path)) continue;
      const look = context.lookAtPath(path);
      looks.set(path, look);
      if (look.place === "inside") continue;
      const isDirectory = directoryPermissions.has(permission);
      for (const name of namesOutside(path, look.otherNames, context.root ?? call.cwd)) {
        const directory = isDirectory ? name : name.map((spelling) => dirname(spelling));
        outside.set(directory[0] ?? path, directory);
      }
    }
    if (permission === "bash") {
      for (const pattern of need.patterns) {
        const shell = shellNeed(pattern, need, call, context);
        subjects.push(...shell.subjects);
        for (const path of shell.paths) secrets.add(path);
        for (const directory of shell.outside) outside.set(directory[0] ?? "", directory);
      }
    } else addNeed(subjects, { need, permission, paths, looks }, call, context);
  }
  if (call.needs.length === 0) subjects.push(wholeTool(canonicalPermission(call.tool)));
  for (const directory of outside.values()) subjects.push(externalDirectory(directory, context.home));
  if (context.isTrial) return subjects;
  for (const [path, { otherNames }] of looks) for (const name of [path, ...otherNames.flat()]) secrets.add(name);
  for (const path of secrets) if (isSecretFile(path)) subjects.push(secretFile(path));
  return subjects;
}

/** A file that no rule, mode or answer opens, under any of its names; or undefined. */
export function forbiddenFile(
  call: JudgeCall,
  subjects: readonly Subject[],
  context: JudgeContext,
): string | undefined {
  const isForbidden = (path: string) => isForbiddenFile(path, context.kedgeHome);
  // Of the words of a command only those that are files, which the analysis says: others may be texts to search for.
  const share = subjects.find(
    ({ stated, path, floor }) => (path !== undefined || floor?.kind === "concern") && isNetworkShare(stated),
  );
  if (share !== undefined) return share.stated;
  for (const { path, spellings } of subjects) {
    const found = path === undefined ? undefined : spellings.find(isForbidden);
    if (found !== undefined) return found;
  }
  const sharePath = call.needs.flatMap(({ paths = [] }) => paths).find(isNetworkShare);
  if (sharePath !== undefined) return sharePath;
  for (const need of call.needs) {
    const isBash = canonicalPermission(need.permission) === "bash";
    const words = isBash ? need.patterns.flatMap(wordsOf).map((word) => withHome(word, context.home)) : [];
    for (const path of [...(need.paths ?? []), ...words]) {
      const whole = absolutePath(call.cwd, path);
      if (isForbidden(whole)) return whole;
      // Words of a command may be paths too, though nobody knows what its program does to them.
      const found = isBash ? context.lookAtPath(whole).otherNames.flat().find(isForbidden) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The tool by its own name, so that a rule for the name reaches a tool that states other needs or none. */
export function wholeTool(permission: string): Subject {
  return {
    permission,
    stated: anything,
    spellings: [anything],
    commandTexts: noTexts,
    always: [anything],
  };
}

type StatedNeed = {
  readonly need: Need;
  readonly permission: string;
  readonly paths: readonly string[];
  readonly looks: ReadonlyMap<string, PathLook>;
};

function addNeed(subjects: Subject[], stated: StatedNeed, call: JudgeCall, context: JudgeContext): void {
  const { need, permission, paths, looks } = stated;
  const seenPaths = new Set<string>();
  for (const pattern of need.patterns.length === 0 ? [anything] : need.patterns) {
    const path = paths.length === 0 ? undefined : pathNamed(pattern, paths, call.cwd);
    if (path !== undefined) {
      // A tool may state one file by its relative and its absolute name; it is still one question.
      if (seenPaths.has(path)) continue;
      seenPaths.add(path);
      const { place = "outside", otherNames = [] } = looks.get(path) ?? {};
      const root = context.root ?? call.cwd;
      const spellings = pathSpellings(path, root);
      const grantSpellings = pathSpellings(path, call.cwd);
      const subject = { permission, stated: pattern, spellings, grantSpellings, commandTexts: noTexts, path, place };
      const guarded =
        permission === "edit" ? [path, ...otherNames.flat()].find((name) => context.isProtected?.(name)) : undefined;
      const floor: Floor = { kind: "guard", why: `${guarded} affects what runs later` };
      subjects.push(guarded === undefined ? { ...subject, always: need.always } : { ...subject, always: [], floor });
      for (const name of otherNames) subjects.push(otherName(name, subject, root));
      // Whoever reads a file by another name than `read` reads it. A search without a path of its own is sifted file by
      // file; one that names a path reads just that.
      if (need.access === "read" && permission !== "read" && path !== root && path !== call.cwd) {
        subjects.push({
          ...subject,
          permission: "read",
          spellings: withBelow(spellings),
          always: need.always,
          isCovered: true,
        });
        for (const name of otherNames) subjects.push(otherName(name, { ...subject, permission: "read" }, root));
      }
      continue;
    }
    const previous = subjects.at(-1);
    if (previous?.permission === permission && isOtherSpelling(pattern, previous)) {
      subjects[subjects.length - 1] = { ...previous, spellings: [...previous.spellings, pattern] };
      continue;
    }
    const subject = { permission, stated: pattern, spellings: [pattern], commandTexts: noTexts, ...lastingOf(need) };
    const { unreviewed: why } = need;
    subjects.push(why === undefined ? subject : { ...subject, floor: { kind: "unreviewed", why } });
  }
}

/** An answer to what is sent elsewhere is about that text and no other. */
function lastingOf({ access, always }: Need): Pick<Subject, "always" | "outward"> {
  return access === "outward" ? { always: [], outward: "it acts outside this machine" } : { always };
}

/** The site of a page, and the version of a skill: a rule may name either. */
function isOtherSpelling(pattern: string, { permission, stated }: Subject): boolean {
  if (permission === "webfetch") return pattern.startsWith("domain:");
  return permission === "skill" && pattern.startsWith(`${stated}@`);
}

function pathNamed(pattern: string, paths: readonly string[], cwd: string): string | undefined {
  const path = absolutePath(cwd, pattern);
  return paths.includes(path) ? path : undefined;
}

function withHome(word: string, home: string | undefined): string {
  return home === undefined ? word : word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}
