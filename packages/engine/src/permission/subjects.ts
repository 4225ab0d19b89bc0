/** Turns the needs of a call into subjects: the single things that rules, mode and defaults each decide about. */
import { dirname, resolve, sep } from "node:path";
import type { Need, PermissionMode, PermissionRule, RuleSet } from "@kedge/protocol";
import { canonicalPermission } from "./names.ts";
import { isForbiddenFile, isSecretFile } from "./secret-files.ts";
import { commandTexts, wordsOf } from "./shell-text.ts";

export type JudgeCall = {
  readonly tool: string;
  readonly needs: readonly Need[];
  readonly readOnly: boolean;
  /** Absolute; relative patterns and paths start here. */
  readonly cwd: string;
};

export type JudgeContext = {
  /** Rules of every source but the session's own grants. */
  readonly rules: readonly RuleSet[];
  /** What the user granted until the session ends. */
  readonly grants: readonly PermissionRule[];
  readonly mode: PermissionMode;
  readonly judgePath: (path: string) => "inside" | "outside";
  /** The worktree root that path rules are relative to; the working directory when left out. */
  readonly root?: string;
  readonly home?: string;
  readonly kedgeHome?: string;
  /** True where the file system does not distinguish case; holds for paths only. */
  readonly ignorePathCase?: boolean;
};

export type Subject = {
  /** Canonical. */
  readonly permission: string;
  /** The string as the tool stated it, which a person is shown. */
  readonly stated: string;
  /** The forms that rules are matched against; one match is enough. */
  readonly spellings: readonly string[];
  /** Only for bash: texts on which deny and ask rules are tried as well. */
  readonly commandTexts: readonly string[];
  /** Patterns proposed for "always"; empty when it cannot be offered. */
  readonly always: readonly string[];
  readonly path?: string;
  readonly place?: "inside" | "outside";
};

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
    const paths = (need.paths ?? []).map((path) => resolve(call.cwd, path));
    for (const path of paths) {
      if (places.has(path)) continue;
      const place = context.judgePath(path);
      places.set(path, place);
      if (place === "outside") directories.add(directoryPermissions.has(permission) ? path : dirname(path));
    }
    addNeed(subjects, { need, permission, paths, places }, call, context);
  }
  if (call.needs.length === 0) subjects.push(wholeTool(canonicalPermission(call.tool)));
  for (const directory of directories) subjects.push(externalDirectory(directory, context.home));
  for (const path of places.keys()) if (isSecretFile(path)) subjects.push(secretFile(path));
  return subjects;
}

/** A file that no rule, mode or answer opens, or undefined. */
export function forbiddenFile(call: JudgeCall, context: JudgeContext): string | undefined {
  for (const need of call.needs) {
    for (const path of need.paths ?? []) {
      const whole = resolve(call.cwd, path);
      if (isForbiddenFile(whole, context.kedgeHome)) return whole;
    }
    if (canonicalPermission(need.permission) !== "bash") continue;
    for (const word of need.patterns.flatMap(wordsOf)) {
      const whole = resolve(call.cwd, withHome(word, context.home));
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
      subjects.push({
        permission,
        stated: pattern,
        spellings,
        commandTexts: noTexts,
        always: need.always,
        path,
        place,
      });
      continue;
    }
    const previous = subjects.at(-1);
    if (permission === "webfetch" && pattern.startsWith("domain:") && previous?.permission === permission) {
      subjects[subjects.length - 1] = { ...previous, spellings: [...previous.spellings, pattern] };
      continue;
    }
    const isCommand = permission === "bash";
    subjects.push({
      permission,
      stated: pattern,
      spellings: [pattern],
      commandTexts: isCommand ? commandTexts(pattern, context.home) : noTexts,
      // Only the exact text can allow a command, so a wider grant would be asked about again.
      always: isCommand && need.always.length > 0 ? [pattern] : need.always,
    });
  }
}

function pathNamed(pattern: string, paths: readonly string[], cwd: string): string | undefined {
  const path = resolve(cwd, pattern);
  return paths.includes(path) ? path : undefined;
}

/** Relative to the worktree root and absolute; outside of it only absolute. */
function pathSpellings(path: string, root: string): readonly string[] {
  const start = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(start) && path.length > start.length ? [path.slice(start.length), path] : [path];
}

/** Spelled with a final slash too, so that a rule for everything below the directory covers the directory. */
function externalDirectory(directory: string, home: string | undefined): Subject {
  const isWide = directory === dirname(directory) || directory === home;
  return {
    permission: "external_directory",
    stated: directory,
    spellings: [directory, `${directory}/`],
    commandTexts: noTexts,
    always: [isWide ? directory : `${directory}/*`],
    path: directory,
  };
}

function secretFile(path: string): Subject {
  return { permission: "secret_file", stated: path, spellings: [path], commandTexts: noTexts, always: [path], path };
}

function withHome(word: string, home: string | undefined): string {
  return home === undefined ? word : word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
}
