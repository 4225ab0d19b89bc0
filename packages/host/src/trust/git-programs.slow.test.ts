/** What git would run by a repository's own configuration, found without starting git. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitProgramAt, gitProgramOf } from "./git-programs.ts";
import { collectProjectInputs } from "./project-inputs.ts";

let root = "";
let home = "";
beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "kedge-git-")));
  root = join(base, "project");
  home = join(base, "home");
  for (const path of [root, home]) mkdirSync(path);
  execFileSync("git", ["init", "--quiet"], { cwd: root });
});
afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

const configure = (key: string, value: string) => execFileSync("git", ["config", key, value], { cwd: root });

test.each([
  ["diff.external", "./x.sh", "diff.external"],
  ["diff.pic.textconv", "./x.sh", "diff.textconv"],
  ["filter.lfs.clean", "git-lfs clean", "filter.clean"],
  ["core.pager", "./x.sh", "core.pager"],
  ["pager.log", "./x.sh", "pager.log"],
  ["include.path", "../more", "include.path"],
  ["gpg.ssh.program", "./x.sh", "gpg.program"],
])("%s = %s", (key, value, found) => {
  configure(key, value);
  expect(gitProgramOf(root)).toBe(found);
});

test("an ordinary configuration runs nothing", () => {
  configure("user.name", "Ada");
  configure("core.fsmonitor", "./x.sh");
  configure("remote.origin.url", "https://example.invalid/x.git");
  configure("core.hooksPath", ".husky");
  expect(gitProgramOf(root)).toBeUndefined();
});

test("where the files of a repository lie runs nothing, as long as they lie where they are", () => {
  configure("core.worktree", "..");
  expect(gitProgramOf(root)).toBeUndefined();
  mkdirSync(join(root, "src"));
  for (const elsewhere of ["../src", "../.."]) {
    configure("core.worktree", elsewhere);
    expect(gitProgramOf(root)).toBe("core.worktree");
  }
});

test("odd ways of writing are read too", () => {
  appendFileSync(join(root, ".git", "config"), '[DIFF] External = "./x.sh"\n');
  expect(gitProgramOf(root)).toBe("diff.external");
});

test.each([
  ["lines that end as on Windows", '[filter "x"]\r\n\tclean = ./x.sh\r\n', "filter.clean"],
  ["a comment that seems to go on", "# note \\\n[diff]\n\texternal = ./x.sh\n", "diff.external"],
  ["two headings in a line", '[core] [filter "x"] clean = ./x.sh\n', "filter.clean"],
  ["a remote that is asked for what is missing", '[remote "o"]\n\tpromisor = true\n', "remote.promisor"],
  ["a program on the other side", '[remote "o"]\n\tuploadpack = ./x.sh\n', "remote.uploadpack"],
  ["a key that nobody knows", "[core]\n\tsomethingNew = x\n", "core.somethingnew"],
  ["a value that goes on", "[user]\n\tname = a\\\n\tb\n", "a configuration that cannot be read"],
  ["a line that is no setting", "[user]\n\t= ./x.sh\n", "a configuration that cannot be read"],
])("%s", (_, text, found) => {
  appendFileSync(join(root, ".git", "config"), text);
  expect(gitProgramOf(root)).toBe(found);
});

test("the configuration that a worktree shares counts too", () => {
  const bare = join(root, "elsewhere");
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: bare });
  rmSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "own"));
  writeFileSync(join(root, "own", "commondir"), "../elsewhere\n");
  writeFileSync(join(root, ".git"), "gitdir: own\n");
  expect(gitProgramOf(root)).toBe("diff.external");
});

test("outside of a repository there is none", () => {
  rmSync(join(root, ".git"), { recursive: true });
  expect(gitProgramOf(root)).toBeUndefined();
});

test("a repository inside of the workspace speaks for its own directories", () => {
  const inner = join(root, "vendor", "x");
  mkdirSync(join(inner, "src"), { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: inner });
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: inner });
  expect(gitProgramAt(join(inner, "src"), { root, home })).toEqual({ program: "diff.external", isOther: true });
  expect(gitProgramAt(join(root, "vendor"), { root, home })).toBeUndefined();
  configure("core.pager", "./x.sh");
  expect(gitProgramAt(join(root, "vendor"), { root, home })).toEqual({ program: "core.pager", isOther: false });
});

test("a directory that looks like a bare repository is one", () => {
  const bare = join(root, "fixtures", "bare");
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  execFileSync("git", ["config", "gpg.program", "./x.sh"], { cwd: bare });
  expect(gitProgramAt(join(bare, "refs"), { root, home })).toEqual({ program: "gpg.program", isOther: true });
});

test("what cannot be followed is not believed", () => {
  expect(gitProgramAt(join(root, "absent"), { root, home })).toEqual({
    program: "a configuration that cannot be read",
    isOther: true,
  });
});

const commit = (cwd: string) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message=x"], {
    cwd,
  });

function addSubmodule(outer: string, name: string): string {
  const path = join(outer, name);
  execFileSync("git", ["init", "--quiet", path]);
  writeFileSync(join(path, "f"), "x\n");
  execFileSync("git", ["add", "f"], { cwd: path });
  commit(path);
  execFileSync("git", ["add", name], { cwd: outer, stdio: "pipe" });
  return path;
}

test.each(["2", "4"])("a submodule's own configuration counts, with an index of version %s", (version) => {
  configure("index.version", version);
  for (let n = 0; n < 20; n++) writeFileSync(join(root, `file-${"x".repeat(n)}`), "x\n");
  const path = addSubmodule(root, "ünder sub");
  execFileSync("git", ["add", "--all"], { cwd: root, stdio: "pipe" });
  execFileSync("git", ["update-index", `--index-version=${version}`], { cwd: root });
  expect(gitProgramAt(root, { root, home })).toBeUndefined();
  const inner = addSubmodule(path, "deep");
  expect(gitProgramAt(root, { root, home })).toBeUndefined();
  execFileSync("git", ["config", "filter.x.clean", "./x.sh"], { cwd: inner });
  expect(gitProgramAt(root, { root, home })).toEqual({ program: "filter.clean of the submodule deep", isOther: true });
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: path });
  expect(gitProgramAt(root, { root, home })?.program).toBe("diff.external of the submodule ünder sub");
});

test("a submodule as git makes it runs nothing", () => {
  const source = join(dirname(root), "source");
  execFileSync("git", ["init", "--quiet", source]);
  writeFileSync(join(source, "f"), "x\n");
  execFileSync("git", ["add", "f"], { cwd: source });
  commit(source);
  const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "sub"];
  execFileSync("git", add, { cwd: root, stdio: "pipe" });
  expect(gitProgramAt(root, { root, home })).toBeUndefined();
  expect(gitProgramAt(join(root, "sub"), { root, home })).toBeUndefined();
  execFileSync("git", ["config", "diff.external", "./x.sh"], { cwd: join(root, "sub") });
  expect(gitProgramAt(root, { root, home })?.isOther).toBe(true);
});

test("what a difference of submodules runs is theirs, whichever commit names them", () => {
  configure("diff.submodule", "log");
  expect(gitProgramAt(root, { root, home })).toBeUndefined();
  configure("diff.submodule", "diff");
  expect(gitProgramAt(root, { root, home })).toEqual({ program: "diff.submodule", isOther: false });
});

test("a file of the project is not trusted with the configuration that includes it, however that spells its path", () => {
  const random = createSeededRandom();
  writeFileSync(join(root, "evil.cfg"), "[diff]\n\texternal = ./x.sh\n");
  writeFileSync(join(root, "more.cfg"), "[include]\n\tpath = evil.cfg\n");
  writeFileSync(join(home, "own.cfg"), `[include]\n\tpath = ${root}/evil.cfg\n`);
  symlinkSync(root, join(home, "link"));
  const paths = ["~/../project/evil.cfg", "~root/../x", "~nobody-here/x", "../evil.cfg", "../more.cfg", "~/own.cfg"];
  const more = [`${root}/evil.cfg`, "~/link/evil.cfg", "%(prefix)/x", "../absent.cfg", '"a\\"b"'];
  const config = join(root, ".git", "config");
  const plain = readFileSync(config, "utf8");
  for (const path of random.shuffle([...paths, ...more])) {
    const [key] = random.shuffle(["include.path", "includeIf.onbranch:ma**.path", "includeIf.gitdir:/.path"]);
    writeFileSync(config, plain);
    configure(key ?? "", path);
    expect(gitProgramAt(root, { root, home }), `${key} ${path}`).toMatchObject({ isOther: true });
  }
});

test("a file of the user's own that is included is trusted with the rest", () => {
  writeFileSync(join(home, "own.cfg"), "[diff]\n\texternal = difft\n");
  configure("include.path", "~/own.cfg");
  expect(gitProgramAt(root, { root, home })).toEqual({ program: "include.path", isOther: false });
});

test("a file of the project that only names harmless settings may be included", () => {
  writeFileSync(join(root, ".gitconfig"), "[user]\n\tname = Ada\n");
  configure("include.path", "../.gitconfig");
  expect(gitProgramAt(root, { root, home })).toBeUndefined();
});

test("where the configuration lies elsewhere, trust is about that one", () => {
  const names = (at: string) => collectProjectInputs(at).map(({ name }) => name);
  configure("diff.external", "./x.sh");
  expect(names(root)).toEqual([".git/config"]);
  writeFileSync(join(root, "f"), "x\n");
  execFileSync("git", ["add", "f"], { cwd: root });
  commit(root);
  const linked = join(dirname(root), "linked");
  execFileSync("git", ["worktree", "add", "--quiet", linked], { cwd: root });
  expect(names(linked)).toEqual([".git", "../project/.git/config"]);
  const before = collectProjectInputs(linked);
  configure("core.pager", "./y.sh");
  expect(collectProjectInputs(linked)).not.toEqual(before);
  renameSync(join(root, ".git"), join(root, "fake"));
  writeFileSync(join(root, ".git"), "gitdir: fake\n");
  expect(names(root)).toEqual([".git", "fake/config"]);
  writeFileSync(join(root, ".git"), "nothing that git knows\n");
  // Git refuses to work with it.
  expect(names(root)).toEqual([]);
});
