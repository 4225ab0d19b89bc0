/** The first snapshot starts from the user's index: it must hold the very bytes on disk, whatever that index says. */
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import {
  commitAll,
  fileName,
  makeLargeRepository,
  never,
  openSnapshotPlace,
  putFile,
  repositoryFiles,
  runUserGit,
  takenTree,
  userView,
  workspaceFiles,
} from "./snapshot-workspace.ts";

let folder: string;
let root: string;
let options: GitSnapshotsOptions;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...words: string[]) => runUserGit(root, words);
const put = (path: string, content: string | Buffer) => putFile(root, path, content);

/** The same workspace stored file by file, without a look at the user's index. */
function plainTree(): Promise<string> {
  return takenTree(createGitSnapshots({ ...options, directory: join(folder, "plain"), isInsideGitRepository: false }));
}

function shadowFolder(): string {
  return join(options.directory, readdirSync(options.directory)[0] ?? "");
}

function looseObjects(): number {
  const names = readdirSync(join(shadowFolder(), "objects"));
  return names
    .filter((name) => name.length === 2)
    .reduce((sum, name) => sum + readdirSync(join(shadowFolder(), "objects", name)).length, 0);
}

const firstFile = fileName(0);

/** Files younger than their index are read again in any case; old ones are believed. */
function age(): void {
  const tracked = git("ls-files", "-z").split("\0");
  for (const path of tracked) if (existsSync(join(root, path))) lutimesSync(join(root, path), 1_000_000, 1_000_000);
  git("update-index", "-q", "--refresh");
}

function checkOutWithOtherLineEnds(): void {
  git("config", "core.autocrlf", "true");
  rmSync(join(root, firstFile));
  git("checkout", "--", firstFile);
  expect(readFileSync(join(root, firstFile), "utf8")).toBe("content of 0\r\n");
  age();
}

type State = { readonly name: string; readonly prepare: () => void };

/** Each puts the user's index at odds with the files, or takes its plain form away. */
const states: readonly State[] = [
  { name: "nothing special", prepare: () => undefined },
  { name: "line ends converted by a setting", prepare: checkOutWithOtherLineEnds },
  {
    name: "line ends converted by a setting that is gone",
    prepare() {
      checkOutWithOtherLineEnds();
      git("config", "--unset", "core.autocrlf");
    },
  },
  {
    name: "line ends converted by attributes",
    prepare() {
      put(".gitattributes", "* text=auto\n*.txt eol=crlf\n");
      put(firstFile, "one\r\ntwo\r\n");
      commitAll(root);
      age();
    },
  },
  {
    name: "expanded identifiers",
    prepare() {
      put(".gitattributes", "*.id ident\n");
      put("a.id", "$Id$\n");
      commitAll(root);
      rmSync(join(root, "a.id"));
      git("checkout", "--", "a.id");
      age();
    },
  },
  {
    name: "a filter that keeps the length",
    prepare() {
      git("config", "filter.turn.clean", "tr a-m n-z");
      git("config", "filter.turn.smudge", "tr n-z a-m");
      put(".gitattributes", "*.turned filter=turn\n");
      put("secret.turned", "abcdefg\n");
      commitAll(root);
      expect(git("show", "HEAD:secret.turned")).toBe("nopqrst\n");
      age();
    },
  },
  {
    name: "another encoding in the work tree",
    prepare() {
      put(".gitattributes", "*.wide working-tree-encoding=UTF-16LE\n");
      put("a.wide", Buffer.from("wide\n", "utf16le"));
      commitAll(root);
      age();
    },
  },
  {
    name: "files assumed unchanged or outside the sparse checkout, and changed",
    prepare() {
      git("update-index", "--assume-unchanged", firstFile);
      git("update-index", "--skip-worktree", fileName(1));
      put(firstFile, "changed behind the back\n");
      put(fileName(1), "changed too\n");
    },
  },
  {
    name: "intended additions",
    prepare() {
      put("intended.txt", "later");
      git("add", "--intent-to-add", "intended.txt");
    },
  },
  {
    name: "a conflict",
    prepare() {
      git("checkout", "--quiet", "-b", "other");
      put(firstFile, "theirs\n");
      commitAll(root);
      git("checkout", "--quiet", "main");
      put(firstFile, "ours\n");
      commitAll(root);
      expect(() => git("merge", "other")).toThrow();
    },
  },
  {
    name: "a submodule",
    prepare() {
      const library = join(folder, "library");
      mkdirSync(library);
      runUserGit(library, ["init", "--quiet"]);
      putFile(library, "a.txt", "1");
      commitAll(library);
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "library");
      commitAll(root);
    },
  },
  { name: "a split index", prepare: () => void git("update-index", "--split-index") },
  { name: "an index with shortened paths", prepare: () => void git("update-index", "--index-version", "4") },
  {
    name: "an index without a checksum",
    prepare() {
      const index = readFileSync(join(root, ".git/index"));
      writeFileSync(join(root, ".git/index"), index.fill(0, index.length - 20));
    },
  },
  {
    name: "a damaged index",
    prepare: () => writeFileSync(join(root, ".git/index"), readFileSync(join(root, ".git/index")).fill(7, 100, 140)),
  },
  {
    name: "a sparse checkout with a sparse index",
    prepare: () => void git("sparse-checkout", "set", "--cone", "--sparse-index", "part-1"),
  },
  {
    name: "staged, changed, deleted and untracked files",
    prepare() {
      put(firstFile, "staged\n");
      git("add", firstFile);
      put(firstFile, "changed since\n");
      rmSync(join(root, fileName(1)));
      put("untracked.txt", "new");
    },
  },
  {
    name: "times that say nothing",
    prepare() {
      for (let number = 0; number < 250; number += 1) utimesSync(join(root, fileName(number)), 1, 1);
    },
  },
  {
    name: "executable bits that git is told to overlook",
    prepare() {
      git("config", "core.fileMode", "false");
      chmodSync(join(root, firstFile), 0o755);
    },
  },
  {
    name: "a change in the very instant of the index, of the same length",
    prepare() {
      const old = git("rev-parse", `HEAD:${firstFile}`).trim();
      put(firstFile, "CONTENT of 0\n");
      age();
      git("add", firstFile);
      const index = readFileSync(join(root, ".git/index"));
      const object = Buffer.from(git("rev-parse", `:${firstFile}`).trim(), "hex");
      Buffer.from(old, "hex").copy(index, index.indexOf(object));
      // Without a checksum, as git is free to write it.
      writeFileSync(join(root, ".git/index"), index.fill(0, index.length - 20));
      utimesSync(join(root, ".git/index"), 1_000_000, 1_000_000);
    },
  },
  {
    name: "names that are not text, and large files, which are left out",
    prepare() {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), "1");
      put("large.bin", Buffer.alloc(3 * 1024 * 1024));
      commitAll(root);
    },
  },
  {
    name: "an object that is lost",
    prepare() {
      const object = git("rev-parse", `HEAD:${firstFile}`).trim();
      rmSync(join(root, ".git/objects", object.slice(0, 2), object.slice(2)));
    },
  },
];

describe("the first snapshot holds the bytes on disk", () => {
  test.each(states)("with $name", async ({ prepare }) => {
    makeLargeRepository(root);
    age();
    prepare();
    const files = repositoryFiles(root);
    const tree = await takenTree(createGitSnapshots(options));
    expect(repositoryFiles(root)).toEqual(files);
    expect(tree).toBe(await plainTree());
  });

  test("in a repository with longer hashes", async () => {
    git("init", "--quiet", "--object-format=sha256");
    for (let number = 0; number < 250; number += 1) put(fileName(number), `${number}`);
    commitAll(root);
    expect(await takenTree(createGitSnapshots(options))).toBe(await plainTree());
  });

  test("in a linked work tree and in a clone that borrows its objects", async () => {
    makeLargeRepository(root);
    git("worktree", "add", "--quiet", "--detach", join(folder, "linked"));
    git("clone", "--quiet", "--shared", root, join(folder, "clone"));
    const trees: string[] = [];
    for (const name of ["project", "linked", "clone"]) {
      trees.push(await takenTree(createGitSnapshots({ ...options, root: join(folder, name) })));
    }
    expect(new Set(trees)).toEqual(new Set([await plainTree()]));
  });
});

describe("the objects of the first snapshot", () => {
  test("are not read again from the files, and are all the shadow's own", async () => {
    makeLargeRepository(root);
    const snapshots = createGitSnapshots(options);
    const before = await takenTree(snapshots);
    const atStart = workspaceFiles(root);
    // Trees only: one for the root and one for each of the seven folders.
    expect(looseObjects()).toBe(8);
    expect(existsSync(join(shadowFolder(), "borrowed"))).toBe(false);
    rmSync(join(root, ".git"), { recursive: true });
    for (let number = 0; number < 250; number += 1) put(fileName(number), "changed");
    const changes = await snapshots.changes(before, await takenTree(snapshots));
    await snapshots.restore(
      before,
      changes.map(({ path }) => path),
    );
    expect(changes).toHaveLength(250);
    expect(workspaceFiles(root)).toEqual(atStart);
  });

  test("survive a rewritten history and a clean-up of the user's repository", async () => {
    makeLargeRepository(root);
    put(firstFile, "second state\n");
    commitAll(root);
    const snapshots = createGitSnapshots(options);
    const before = await takenTree(snapshots);
    const atStart = workspaceFiles(root);
    git("reset", "--quiet", "--hard", "HEAD~1");
    put(fileName(1), "changed");
    git("reflog", "expire", "--expire=now", "--all");
    git("gc", "--quiet", "--prune=now");
    const after = await takenTree(snapshots);
    const atEnd = workspaceFiles(root);
    expect(await snapshots.changes(before, after)).toEqual([
      { path: firstFile, status: "modified" },
      { path: fileName(1), status: "modified" },
    ]);
    await snapshots.restore(before, [firstFile, fileName(1)]);
    expect(workspaceFiles(root)).toEqual(atStart);
    await snapshots.restore(after, [firstFile, fileName(1)]);
    expect(workspaceFiles(root)).toEqual(atEnd);
  });

  test("are never left to the user's repository later, even if it has them too", async () => {
    makeLargeRepository(root);
    const snapshots = createGitSnapshots(options);
    await takenTree(snapshots);
    put(firstFile, "committed by the call\n");
    commitAll(root);
    const after = await takenTree(snapshots);
    rmSync(join(root, ".git"), { recursive: true });
    rmSync(join(root, firstFile));
    await snapshots.restore(after, [firstFile]);
    expect(readFileSync(join(root, firstFile), "utf8")).toBe("committed by the call\n");
  });

  test("are copied by the next process if the first one was killed before", async () => {
    makeLargeRepository(root);
    const names = git("ls-files", "--stage").replace(/^\d+ (\w+).*$/gm, "$1");
    const before = await takenTree(createGitSnapshots(options));
    const packs = join(shadowFolder(), "objects/pack");
    rmSync(packs, { recursive: true });
    mkdirSync(packs);
    writeFileSync(join(shadowFolder(), "borrowed"), names);
    rmSync(join(root, firstFile));
    await createGitSnapshots(options).restore(before, [firstFile]);
    expect(readFileSync(join(root, firstFile), "utf8")).toBe("content of 0\n");
    expect(existsSync(join(shadowFolder(), "borrowed"))).toBe(false);
  });

  test("are stored anew from the files if they were lost before they could be copied", async () => {
    makeLargeRepository(root);
    const names = git("ls-files", "--stage").replace(/^\d+ (\w+).*$/gm, "$1");
    const before = await takenTree(createGitSnapshots(options));
    rmSync(join(shadowFolder(), "objects/pack"), { recursive: true });
    writeFileSync(join(shadowFolder(), "borrowed"), names);
    rmSync(join(root, ".git"), { recursive: true });
    const snapshots = createGitSnapshots(options);
    await takenTree(snapshots);
    expect(await takenTree(snapshots)).toBe(before);
    rmSync(join(root, firstFile));
    await snapshots.restore(before, [firstFile]);
    expect(readFileSync(join(root, firstFile), "utf8")).toBe("content of 0\n");
  });

  test("come from the files if the user's git will not tell its attributes", async () => {
    makeLargeRepository(root);
    const view = userView(root);
    const wrapper = join(folder, "git-without-attributes");
    writeFileSync(wrapper, '#!/bin/sh\ncase "$*" in *check-attr*) exit 128;; esac\nexec git "$@"\n', { mode: 0o755 });
    expect(await takenTree(createGitSnapshots({ ...options, gitPath: wrapper }))).toBe(await plainTree());
    expect(userView(root)).toEqual(view);
  });

  test("are looked at by one process once they are known", async () => {
    makeLargeRepository(root);
    const log = join(folder, "log");
    const wrapper = join(folder, "counting-git");
    writeFileSync(wrapper, `#!/bin/sh\necho run >> "${log}"\nexec git "$@"\n`, { mode: 0o755 });
    const snapshots = createGitSnapshots({ ...options, gitPath: wrapper });
    await takenTree(snapshots);
    rmSync(log);
    await snapshots.track(never);
    expect(readFileSync(log, "utf8")).toBe("run\n");
  });
});
