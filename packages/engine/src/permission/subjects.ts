/** Turns the needs of a call into subjects: the single things that rules, mode and defaults each decide about. */
import { dirname } from "node:path";
import type { Need } from "@kedge/protocol";
import { absolutePath, pathSpellings } from "./absolute-path.ts";
import { exactly } from "./glob.ts";
import { canonicalPermission } from "./names.ts";
import { isForbiddenFile, isSecretFile } from "./secret-files.ts";
import { shellNeed } from "./shell-subjects.ts";
import { wordsOf } from "./shell-text.ts";
import type { Floor, JudgeCall, JudgeContext, Subject } from "./subject.ts";

/** The string for a need that states none: only catch-all rules reach it. */
const anything = "*";

/** Permissions whose paths are directories to look through, not files in one. */
const directoryPermissions: ReadonlySet<string> = new Set(["list", "glob", "grep"]);

const noTexts: readonly string[] = [];

export function subjectsOf(call: JudgeCall, context: JudgeContext): readonly Subject[] {
  const subjects: Subject[] = [];
  const places = new Map<string, "inside" | "outside">();
  const directories = new Set<string>();
  for (const need of call.needs) {
    const permission = canonicalPermission(need.permission);
    const paths = (need.paths ?? []).map((path) => absolutePath(call.cwd, path));
    for (const path of paths) {
      if (places.has(path)) continue;
      const place = context.judgePath(path);
      places.set(path, place);
      if (place === "outside") directories.add(directoryPermissions.has(permission) ? path : dirname(path));
    }
    if (permission === "bash") {
      for (const pattern of need.patterns) {
        const shell = shellNeed(pattern, need, call, context);
        subjects.push(...shell.subjects);
        for (const path of shell.paths) if (!places.has(path)) places.set(path, context.judgePath(path));
        for (const directory of shell.outside) directories.add(directory);
      }
    } else addNeed(subjects, { need, permission, paths, places }, call, context);
  }
  if (call.needs.length === 0) subjects.push(wholeTool(canonicalPermission(call.tool)));
  for (const directory of directories) subjects.push(externalDirectory(directory, context.home));
  if (context.isTrial) return subjects;
  for (const path of places.keys()) if (isSecretFile(path)) subjects.push(secretFile(path));
  return subjects;
}

/** A file that no rule, mode or answer opens, or undefined. */
export function forbiddenFile(call: JudgeCall, context: JudgeContext): string | undefined {
  for (const need of call.needs) {
    for (const path of need.paths ?? []) {
      const whole = absolutePath(call.cwd, path);
      if (isForbiddenFile(whole, context.kedgeHome)) return whole;
    }
    if (canonicalPermission(need.permission) !== "bash") continue;
    for (const word of need.patterns.flatMap(wordsOf)) {
      const whole = absolutePath(call.cwd, withHome(word, context.home));
      if (isForbiddenFile(whole, context.kedgeHome)) return whole;
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
  readonly places: ReadonlyMap<string, "inside" | "outside">;
};

function addNeed(subjects: Subject[], stated: StatedNeed, call: JudgeCall, context: JudgeContext): void {
  const { need, permission, paths, places } = stated;
  const seenPaths = new Set<string>();
  for (const pattern of need.patterns.length === 0 ? [anything] : need.patterns) {
    const path = paths.length === 0 ? undefined : pathNamed(pattern, paths, call.cwd);
    if (path !== undefined) {
      // A tool may state one file by its relative and its absolute name; it is still one question.
      if (seenPaths.has(path)) continue;
      seenPaths.add(path);
      const place = places.get(path) ?? "outside";
      const spellings = pathSpellings(path, context.root ?? call.cwd);
      const grantSpellings = pathSpellings(path, call.cwd);
      const subject = { permission, stated: pattern, spellings, grantSpellings, commandTexts: noTexts, path, place };
      const isGuarded = permission === "edit" && context.isProtected?.(path) === true;
      const floor: Floor = { kind: "guard", why: `${path} decides what runs later` };
      subjects.push(isGuarded ? { ...subject, always: [], floor } : { ...subject, always: need.always });
      continue;
    }
    const previous = subjects.at(-1);
    if (permission === "webfetch" && pattern.startsWith("domain:") && previous?.permission === permission) {
      subjects[subjects.length - 1] = { ...previous, spellings: [...previous.spellings, pattern] };
      continue;
    }
    subjects.push({ permission, stated: pattern, spellings: [pattern], commandTexts: noTexts, always: need.always });
  }
}

function pathNamed(pattern: string, paths: readonly string[], cwd: string): string | undefined {
  const path = absolutePath(cwd, pattern);
  return paths.includes(path) ? path : undefined;
}

/** Spelled with a final slash too, so that a rule for everything below the directory covers the directory. */
function externalDirectory(directory: string, home: string | undefined): Subject {
  const isWide = directory === dirname(directory) || directory === home;
  return {
    permission: "external_directory",
    stated: directory,
    spellings: [directory, `${directory}/`],
    commandTexts: noTexts,
    always: isWide ? [directory] : exactly(directory).map((text) => `${text}/*`),
    path: directory,
  };
}

function secretFile(path: string): Subject {
  return {
    permission: "secret_file",
    stated: path,
    spellings: [path],
    commandTexts: noTexts,
    always: exactly(path),
    path,
  };
}

function withHome(word: string, home: string | undefined): string {
  return home === undefined ? word : word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}
