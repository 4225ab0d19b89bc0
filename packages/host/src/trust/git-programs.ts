/** Finds in a repository's own git configuration what git would run when it only looks: read as text, git is not started. */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { settingsIn } from "./git-config-text.ts";
import { submodulesOf } from "./git-submodules.ts";
import { gitDirectoryOf } from "./tracked-file.ts";

/**
 * Settings by which git runs nothing, by section, its name in quotes left out, and key. As texts, because patterns of
 * this length take longer to compile than a configuration takes to read. Everything else counts as a program: git has
 * hundreds, and gets more. What watches for changes and hooks are switched off for commands that only look.
 */
const harmlessKeys: { readonly [section: string]: string } = {
  core: "abbrev,autocrlf,bare,bigfilethreshold,checkstat,commentchar,commitgraph,compression,eol,excludesfile,filemode,fsmonitor,fscache,hidedotfiles,hookspath,ignorecase,logallrefupdates,longpaths,multipackindex,precomposeunicode,preloadindex,protecthfs,protectntfs,quotepath,repositoryformatversion,safecrlf,sparsecheckout,sparsecheckoutcone,splitindex,symlinks,trustctime,untrackedcache,whitespace",
  extensions: "objectformat,refstorage",
  remote: "fetch,gh-resolved,mirror,prune,prunetags,push,pushurl,skipdefaultupdate,tagopt,url",
  branch: "description,github-pr-owner-number,merge,mergeoptions,pushremote,rebase,remote,vscode-merge-base",
  submodule: "active,branch,fetchrecursesubmodules,ignore,url",
  user: "email,name,signingkey,useconfigonly",
  diff: "algorithm,colormoved,context,ignoresubmodules,indentheuristic,mnemonicprefix,noprefix,renamelimit,renames,suppressblankempty,wordregex",
  merge: "branchdesc,conflictstyle,ff,log,renamelimit,renames,stat,tool",
  commit: "cleanup,gpgsign,status,verbose",
  tag: "gpgsign,sort",
  log: "abbrevcommit,date,decorate,follow",
  http: "lowspeedlimit,lowspeedtime,maxrequests,postbuffer,sslverify,version",
  credential: "usehttppath,username",
  lfs: "repositoryformatversion",
  worktree: "guessremote",
};

/** Sections of which no key runs anything. */
const harmlessSections: ReadonlySet<string> = new Set(
  "advice,blame,clean,color,column,feature,fetch,gc,i18n,index,init,maintenance,pack,pull,push,rebase,rerere,stash,status,versionsort".split(
    ",",
  ),
);

const configBytesMax = 1024 * 1024;
const unreadable = "a configuration that cannot be read";

const includesMax = 20;
const submodulesMax = 200;

export type GitProgram = {
  readonly program: string;
  /**
   * It is that of another repository, such as one among the files of the workspace, or stands in a file that comes with
   * the project: trust in the workspace is none in it.
   */
  readonly isOther: boolean;
};

export type GitPlace = {
  readonly root: string;
  /** What `~` means. */
  readonly home: string;
};

/** What git would run in a directory: by the nearest repository around it, which may lie inside of the workspace. */
export function gitProgramAt(directory: string, place: GitPlace): GitProgram | undefined {
  try {
    const top = realpathSync(place.root);
    for (let at = realpathSync(directory); at !== top; at = dirname(at)) {
      // Beside the workspace no repository is around it.
      if (at === dirname(at)) return undefined;
      const found = isBare(at) ? at : gitDirectoryOf(at);
      if (found === undefined) continue;
      const program = programOfRepository({ worktree: at, gitDirectory: found }, place);
      return program === undefined ? undefined : { ...program, isOther: true };
    }
    const gitDirectory = gitDirectoryOf(top);
    return gitDirectory === undefined ? undefined : programOfRepository({ worktree: top, gitDirectory }, place);
  } catch {
    return { program: unreadable, isOther: true };
  }
}

/** Git takes such a directory for a repository wherever it lies. */
function isBare(directory: string): boolean {
  return ["HEAD", "objects", "refs"].every(
    (name) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined,
  );
}

/** The first setting of the repository itself by which git runs something, or why it cannot be known. */
export function gitProgramOf(root: string): string | undefined {
  try {
    const directory = gitDirectoryOf(root);
    if (directory === undefined) return undefined;
    return configsOf(directory).flatMap((path) => programsIn(path, { worktree: root }))[0]?.program;
  } catch {
    return unreadable;
  }
}

/** The files that git takes the configuration of a repository from; none where they cannot be found. */
export function gitConfigsOf(root: string): readonly string[] {
  try {
    const directory = gitDirectoryOf(root);
    return directory === undefined ? [] : configsOf(directory);
  } catch {
    return [];
  }
}

function configsOf(gitDirectory: string): readonly string[] {
  return [gitDirectory, commonDirectoryOf(gitDirectory)].flatMap((place) =>
    place === undefined ? [] : [join(place, "config")],
  );
}

type Repository = { readonly worktree: string; readonly gitDirectory: string };

/** With those of its submodules, in which git looks on its own: what is another's comes first. */
function programOfRepository(repository: Repository, place: GitPlace): GitProgram | undefined {
  const found = configsOf(repository.gitDirectory).flatMap((path) =>
    programsIn(path, { worktree: repository.worktree, place }),
  );
  return found.find(({ isOther }) => isOther) ?? programOfSubmodules(repository, place) ?? found[0];
}

function programOfSubmodules(repository: Repository, place: GitPlace): GitProgram | undefined {
  const waiting: Repository[] = [repository];
  for (let seen = 0; waiting.length > 0; seen++) {
    const outer = waiting.shift() as Repository;
    if (seen > submodulesMax) return { program: unreadable, isOther: true };
    for (const path of submodulesOf(outer)) {
      const worktree = join(outer.worktree, path);
      const gitDirectory = gitDirectoryOf(worktree);
      if (gitDirectory === undefined) continue;
      const [found] = configsOf(gitDirectory).flatMap((config) => programsIn(config, { worktree, place }));
      if (found !== undefined) return { program: `${found.program} of the submodule ${path}`, isOther: true };
      waiting.push({ worktree, gitDirectory });
    }
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

type Inspection = {
  readonly worktree: string;
  /** Without it no included file is looked into: to include one counts. */
  readonly place?: GitPlace;
  /** How many files included each other up to this one. */
  readonly depth?: number;
};

function programsIn(path: string, inspection: Inspection): readonly GitProgram[] {
  const { worktree, place, depth = 0 } = inspection;
  const unknown = { program: unreadable, isOther: depth > 0 };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return depth > 0 ? [unknown] : [];
  if (!stats.isFile() || stats.size > configBytesMax || depth > includesMax) return [unknown];
  const settings = settingsIn(readFileSync(path, "utf8"));
  if (settings === undefined) return [unknown];
  return settings.flatMap(({ name, value }): readonly GitProgram[] => {
    if (isHarmless(name) || (name === "diff.submodule" && (value === "short" || value === "log"))) return [];
    // A submodule says where its files are, which is known already.
    if (name === "core.worktree" && value !== undefined && resolve(dirname(path), value) === worktree) return [];
    const isInclude = name === "include.path" || name === "includeif.path";
    if (!isInclude || place === undefined) return [{ program: name, isOther: false }];
    return programsIncluded(includedPath(value, path, place), { worktree, place, depth: depth + 1 }, name);
  });
}

/** Whoever trusts the workspace has not seen a file that changes with the project; beside it, it is the user's own. */
function programsIncluded(
  path: string | undefined,
  inspection: Inspection & { readonly place: GitPlace },
  name: string,
): readonly GitProgram[] {
  if (path === undefined) return [{ program: `${name}, which cannot be resolved`, isOther: true }];
  const found = programsIn(path, inspection);
  const top = realpathSync(inspection.place.root);
  const isOfProject = path === top || path.startsWith(`${top}${sep}`);
  if (isOfProject) return found.map(({ program }) => ({ program: `${program} by ${name}`, isOther: true }));
  return [{ program: name, isOther: false }, ...found.filter(({ isOther }) => isOther)];
}

/** Links and `..` as the system follows them; undefined when that is not known, as for the home of another user. */
function includedPath(value: string | undefined, from: string, { home }: GitPlace): string | undefined {
  if (value === undefined || value === "" || /^(?:~[^/]|%)/.test(value)) return undefined;
  const path = /^~(?:\/|$)/.test(value) ? `${home}${value.slice(1)}` : value;
  try {
    return realpathSync.native(isAbsolute(path) ? path : `${dirname(from)}/${path}`);
  } catch {
    return undefined;
  }
}

function isHarmless(name: string): boolean {
  const [section = "", key = ""] = name.split(".");
  if (harmlessSections.has(section)) return true;
  return Object.hasOwn(harmlessKeys, section) && harmlessKeys[section]?.split(",").includes(key) === true;
}
