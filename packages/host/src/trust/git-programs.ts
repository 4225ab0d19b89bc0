/** Finds in a repository's own git configuration what git would run when it only looks: read as text, git is not started. */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gitDirectoryOf } from "./tracked-file.ts";

/**
 * Settings by which git runs nothing, by section, its name in quotes left out, and key. Everything else counts as a
 * program: git has hundreds, and gets more. What watches for changes and hooks are switched off for commands that only
 * look.
 */
const harmlessKeys: { readonly [section: string]: RegExp } = {
  core: /^(?:abbrev|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commitgraph|compression|eol|excludesfile|filemode|fsmonitor|fscache|hidedotfiles|hookspath|ignorecase|logallrefupdates|longpaths|multipackindex|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|whitespace)$/,
  extensions: /^(?:objectformat|refstorage)$/,
  remote: /^(?:fetch|gh-resolved|mirror|prune|prunetags|push|pushurl|skipdefaultupdate|tagopt|url)$/,
  branch: /^(?:description|github-pr-owner-number|merge|mergeoptions|pushremote|rebase|remote|vscode-merge-base)$/,
  submodule: /^(?:active|branch|fetchrecursesubmodules|ignore|url)$/,
  user: /^(?:email|name|signingkey|useconfigonly)$/,
  diff: /^(?:algorithm|colormoved|context|ignoresubmodules|indentheuristic|mnemonicprefix|noprefix|renamelimit|renames|submodule|suppressblankempty|wordregex)$/,
  merge: /^(?:branchdesc|conflictstyle|ff|log|renamelimit|renames|stat|tool)$/,
  commit: /^(?:cleanup|gpgsign|status|verbose)$/,
  tag: /^(?:gpgsign|sort)$/,
  log: /^(?:abbrevcommit|date|decorate|follow)$/,
  http: /^(?:lowspeedlimit|lowspeedtime|maxrequests|postbuffer|sslverify|version)$/,
  credential: /^(?:usehttppath|username)$/,
  lfs: /^repositoryformatversion$/,
  worktree: /^guessremote$/,
};

/** Sections of which no key runs anything. */
const harmlessSections: ReadonlySet<string> = new Set(
  "advice,blame,clean,color,column,feature,fetch,gc,i18n,index,init,maintenance,pack,pull,push,rebase,rerere,stash,status,versionsort".split(
    ",",
  ),
);

const configBytesMax = 1024 * 1024;
const unreadable = "a configuration that cannot be read";

export type GitProgram = {
  readonly program: string;
  /** It is that of another repository, such as one among the files of the workspace: trust in the workspace is none in it. */
  readonly isOther: boolean;
};

/** What git would run in a directory: by the nearest repository around it, which may lie inside of the workspace. */
export function gitProgramAt(directory: string, root: string): GitProgram | undefined {
  try {
    const top = realpathSync(root);
    for (let at = realpathSync(directory); at !== top; at = dirname(at)) {
      // Beside the workspace no repository is around it.
      if (at === dirname(at)) return undefined;
      const found = isBare(at) ? at : gitDirectoryOf(at);
      if (found === undefined) continue;
      const program = programOfDirectory(found, root);
      return program === undefined ? undefined : { program, isOther: true };
    }
  } catch {
    return { program: unreadable, isOther: true };
  }
  const program = gitProgramOf(root);
  return program === undefined ? undefined : { program, isOther: false };
}

/** Git takes such a directory for a repository wherever it lies. */
function isBare(directory: string): boolean {
  return ["HEAD", "objects", "refs"].every(
    (name) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined,
  );
}

/** The first such key, or why it cannot be known; undefined when git runs nothing. */
export function gitProgramOf(root: string): string | undefined {
  try {
    const directory = gitDirectoryOf(root);
    return directory === undefined ? undefined : programOfDirectory(directory, root);
  } catch {
    return unreadable;
  }
}

function programOfDirectory(directory: string, root: string): string | undefined {
  for (const place of [directory, commonDirectoryOf(directory)]) {
    const found = place === undefined ? undefined : programIn({ directory: place, root });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A linked worktree shares the configuration of its repository, wherever that is said to be. */
function commonDirectoryOf(directory: string): string | undefined {
  const path = join(directory, "commondir");
  return statSync(path, { throwIfNoEntry: false }) === undefined
    ? undefined
    : resolve(directory, readFileSync(path, "utf8").trim());
}

type ConfigPlace = { readonly directory: string; readonly root: string };

function programIn(place: ConfigPlace): string | undefined {
  const path = join(place.directory, "config");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > configBytesMax) return unreadable;
  const keys = keysIn(readFileSync(path, "utf8"));
  if (keys === undefined) return unreadable;
  return keys.find((key) => !isHarmless(key.name) && !isWorktreeInside(key, place))?.name;
}

function isHarmless(name: string): boolean {
  const [section = "", key = ""] = name.split(".");
  return harmlessSections.has(section) || harmlessKeys[section]?.test(key) === true;
}

type Setting = { readonly name: string; readonly value: string };

/** A submodule names its files so: from where its configuration lies to a directory of the same workspace. */
function isWorktreeInside({ name, value }: Setting, { directory, root }: ConfigPlace): boolean {
  if (name !== "core.worktree" || !/^[\w./ -]+$/.test(value)) return false;
  const top = realpathSync(root);
  const real = realpathSync(resolve(directory, value));
  return real === top || real.startsWith(`${top}/`);
}

/** Undefined when a line is not understood: git might understand it. */
function keysIn(text: string): readonly Setting[] | undefined {
  const keys: Setting[] = [];
  let section = "";
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    let rest = line.trim();
    for (let heading = headingOf(rest); heading !== undefined; heading = headingOf(rest)) {
      section = heading.section;
      rest = heading.rest;
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const [, key, value = ""] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(rest) ?? [];
    // What goes on in the next line is read by nobody but git.
    if (key === undefined || section === "" || value.endsWith("\\") || /[\r\0]/.test(value)) return undefined;
    keys.push({ name: `${section}.${key.toLowerCase()}`, value: value.trim() });
  }
  return keys;
}

/** More may stand behind it on the same line. */
function headingOf(text: string): { readonly section: string; readonly rest: string } | undefined {
  const found = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\\n]|\\.)*")?\s*\](.*)$/.exec(text);
  if (found === null) return undefined;
  const [section = ""] = (found[1] ?? "").toLowerCase().split(".");
  return { section, rest: (found[2] ?? "").trim() };
}
