import { posix } from "node:path";
import type { ShellPlace } from "@kedge/protocol";
import { withPatience } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { createShellAnalyser } from "./analyse-shell.ts";
import { analyseShell } from "./index.ts";
import type { LookIntoProgram, ProgramInsight, ShellCommand, ShellWord } from "./shell-command.ts";

const root = "/home/dev/proj";
const place: ShellPlace = {
  cwd: root,
  root,
  home: "/home/dev",
  lookAtPath: (path) => ({
    place: `${posix.resolve(root, path)}/`.startsWith(`${root}/`) ? "inside" : "outside",
    otherNames: [],
  }),
};

const nothing: ProgramInsight = {
  inner: [],
  isTransparent: false,
  otherTexts: [],
  riskyOptions: [],
  files: [],
  concerns: [],
  assigned: [],
  arithmetic: [],
  readOnly: false,
};

/** A few programs, so that these tests do not depend on the tables of the others. */
function lookInto(command: ShellCommand): ProgramInsight {
  const [program, ...words] = command.words;
  const [first] = words;
  switch (program?.text) {
    case "cat":
      return { ...nothing, readOnly: true, files: words.map((word) => ({ word, access: "read" })) };
    case "echo":
      return { ...nothing, readOnly: true };
    case "touch":
      return { ...nothing, files: words.map((word) => ({ word, access: "write" })) };
    case "cd":
      return { ...nothing, readOnly: true, movesTo: { word: first?.isLiteral ? first : undefined } };
    case "eval":
      return { ...nothing, inner: [{ kind: "script", text: words.map(({ text }) => text).join(" ") }] };
    case "nice":
    case "builtin":
      return { ...nothing, isTransparent: true, inner: [{ kind: "words", words }] };
    case "bash":
      return command.input.kind === "inherited" ? nothing : { ...nothing, unknown: "it runs its input" };
    default:
      return nothing;
  }
}

const analyse = createShellAnalyser({ lookInto });
const filesOf = (command: string) => analyse(command, place).files.map(({ path, place: side }) => `${side} ${path}`);
const textsOf = (command: string) => analyse(command, place).commands.map(({ text }) => text);

test("a command is told with everything it would do", () => {
  expect(analyse("PATH=. nice cat 'a b' ~/x > out 2>&1", place)).toEqual({
    commands: [
      { text: "nice cat a b /home/dev/x", otherTexts: [], isTransparent: true, riskyOptions: [], readOnly: false },
      { text: "cat a b /home/dev/x", otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: true },
    ],
    files: [
      { path: `${root}/out`, text: "out", access: "write", by: "redirection", isProtected: false, place: "inside" },
      { path: `${root}/a b`, text: "a b", access: "read", by: "cat", isProtected: false, place: "inside" },
      { path: "/home/dev/x", text: "/home/dev/x", access: "read", by: "cat", isProtected: false, place: "outside" },
    ],
    concerns: [{ text: "PATH=.", why: "The variable PATH changes what runs." }],
    readOnly: false,
    looksAt: "files",
  });
});

test("only looking is told", () => {
  expect(analyse("cat a | nice cat b && echo $x", place).readOnly).toBe(true);
  expect(analyse("cat a > b", place).readOnly).toBe(false);
  expect(analyse("cat a; touch b", place).readOnly).toBe(false);
  expect(analyse("", place).readOnly).toBe(false);
});

describe("follows the directory", () => {
  test.each<[string, readonly string[]]>([
    ["cd src && cat x", [`inside ${root}/src/x`]],
    ["cd src; cat x", [`inside ${root}/src/x`, `inside ${root}/x`]],
    ["cd src || exit; cat x", [`inside ${root}/src/x`]],
    ["cd src || cat x", [`inside ${root}/x`]],
    ["(cd src); cat x", [`inside ${root}/x`]],
    ["cd src | cat x", [`inside ${root}/x`]],
    ["cd src & cat x", [`inside ${root}/x`]],
    ["{ cd src; } && cat x", [`inside ${root}/src/x`]],
    ["! cd src && cat x", [`inside ${root}/x`]],
    ["if cd src; then cat x; else cat y; fi", [`inside ${root}/src/x`, `inside ${root}/y`]],
    ["eval 'cd src' && cat x", [`inside ${root}/src/x`]],
    ["builtin cd src && cat x", [`inside ${root}/src/x`]],
    ["echo $(cd src && cat x) && cat y", [`inside ${root}/src/x`, `inside ${root}/y`]],
    ["cd $x && cat x", ["outside undefined", "outside undefined"]],
    ["cd .. && cat x", ["outside /home/dev/x", "outside /home/dev"]],
  ])("%s", (command, files) => expect(filesOf(command)).toEqual(files));

  test("a loop that moves starts its next round anywhere", () => {
    expect(filesOf("for i in 1 2; do cat x; cd ..; done")).toEqual([
      `inside ${root}/x`,
      "outside undefined",
      "outside undefined",
    ]);
  });

  test("a function runs where it is called", () => {
    expect(filesOf("f() { cat x; }; cd src && f")).toContain("outside undefined");
    expect(filesOf("f() { cd /; }; f; cat x")).toContain("outside undefined");
    expect(filesOf("f() { cat x; }; f")).toEqual([`inside ${root}/x`]);
  });
});

test("commands are found wherever they hide, as the shell would start them", () => {
  expect(textsOf('x=$(a) b "$(c)" <<E; d\n`e`\nE\nf() { g; }; f')).toEqual(["a", "c", "e", "b $(c)", "d", "g", "f"]);
  expect(textsOf("time r'm' $'\\x78'; coproc {a,b} c")).toEqual(["time rm x", "rm x", "coproc a b c", "a b c"]);
});

test.each<[string, string]>([
  ["$x a", "The program $x is only known at run time."],
  ["r* a", "The program r* is only known at run time."],
  ["git status\u200b", "It contains an invisible character: U+200B."],
  ["g\u0456t status", 'The name of the program "g\u0456t" has unusual characters.'],
  ["a &&", "A command is missing."],
  ["git() { a; }", "A function takes the name of the program git."],
  ["a | bash", "bash: it runs its input"],
  ["exec < a; bash", "bash: it runs its input"],
  ["f() { bash; }; a | f", "bash: it runs its input"],
  [`echo ${"a".repeat(10_000)}`, "It has more than 10000 characters."],
  [`${"eval ".repeat(30)}a`, "It is nested too deeply."],
  ["[[ 'a[$(b)]' -eq 1 ]]", "Quoted text is evaluated and can run commands."],
])("%j is not understood", (command, unknown) => expect(analyse(command, place).unknown).toBe(unknown));

test("a defect while reading leaves the command to a person", () => {
  const broken = createShellAnalyser({
    lookInto: () => {
      throw new Error("no table");
    },
  });
  expect(broken("rm x", place)).toEqual({
    commands: [{ text: "rm x", otherTexts: ["x"], isTransparent: false, riskyOptions: [], readOnly: false }],
    files: [],
    concerns: [],
    unknown: "Reading it failed: no table.",
    readOnly: false,
    looksAt: "files",
  });
});

test("what is not understood still shows what it could start", () => {
  const { commands } = analyse('echo "a; /bin/rm -rf x', place);
  expect(commands.flatMap(({ text, otherTexts }) => [text, ...otherTexts])).toContain("rm -rf x");
});

test.each<[string, readonly string[]]>([
  ["echo > $x", ["> $x"]],
  ["echo > /dev/tcp/h/1", ["/dev/tcp/h/1"]],
  ["cat < /dev/zero", ["/dev/zero"]],
  ["cat //host/share/x", ["//host/share/x"]],
  ["LD_PRELOAD=x echo", ["LD_PRELOAD=x"]],
  ["for IFS in a; do echo; done", ["IFS"]],
  ["echo ${PATH:=x}", ["PATH"]],
  ["((PATH=1))", ["PATH=1"]],
  ["echo {PATH}> x", ["PATH"]],
  ["echo ${x@P}", ["${x@P}"]],
  ["x='a[$(b)]'", ["x=a[$(b)]"]],
  ["echo > /dev/null 2>&1 >&2", []],
])("%s needs a person", (command, texts) =>
  expect(analyse(command, place).concerns.map(({ text }) => text)).toEqual(texts),
);

test.each([".git/hooks/x", "a/.envrc", ".GIT/config", "~/.bashrc", "/etc/x", "x/.vscode/y", ".mcp.json", "~/bin/x"])(
  "%s is protected",
  (path) => expect(analyse(`touch ${path}`, place).files.map(({ isProtected }) => isProtected)).toEqual([true]),
);

test("a disk and a fork bomb are guarded", () => {
  expect(analyse("echo > /dev/sda", place).guard).toBe("It would write over the disk /dev/sda.");
  expect(analyse("f() { f | f & }; f", place).guard).toBe(
    "The function f starts itself again and again, which stops the machine.",
  );
});

test("variables stay known until they are set", () => {
  expect(filesOf('cat "$HOME/x" $PWD/y')).toEqual(["outside /home/dev/x", `inside ${root}/y`]);
  expect(filesOf("HOME=/; cat ~/x")).toEqual(["outside undefined"]);
  expect(filesOf("cat ~other/x ~+/y")).toEqual(["outside undefined", `inside ${root}/y`]);
});

test("words are told apart", () => {
  const seen: ShellWord[] = [];
  const listen: LookIntoProgram = ({ words }) => {
    seen.push(...words.slice(1));
    return nothing;
  };
  createShellAnalyser({ lookInto: listen })('a \'*\' * $x "$x" "$@" b{1,2} <(c) [ a[1] ""', place);
  const word = (text: string, flags: string) => ({
    text,
    isLiteral: flags.includes("literal"),
    isSplit: flags.includes("split"),
    isGlob: flags.includes("glob"),
    ...(flags.includes("pipe") ? { isPipe: true } : {}),
  });
  expect(seen).toEqual([
    word("*", "literal"),
    word("*", "split glob"),
    word("$x", "split"),
    word("$x", ""),
    word("$@", "split"),
    word("b1", "literal"),
    word("b2", "literal"),
    word("<(c)", "pipe"),
    word("[", "literal"),
    word("a[1]", "split glob"),
    word("", "literal"),
  ]);
});

test.each([
  ["200 kB of words", `echo ${"a ".repeat(100_000)}`],
  ["200 kB of openers", "$(".repeat(100_000)],
  ["200 kB of lists", "rm x; ".repeat(33_000)],
  ["200 levels", "(".repeat(200) + ")".repeat(200)],
  ["200 substitutions", "echo $(".repeat(200) + ")".repeat(200)],
  ["many wrappers", `${"nice ".repeat(1_900)}a`],
  ["many braces", `echo ${"{a,".repeat(3_000)}`],
  ["many groups", `[[ a =~ ${"(".repeat(4_000)}${")".repeat(4_000)} ]]`],
])("comes to an end: %s", (_, command) => {
  withPatience(() => analyse(command, place));
  expect(textsOf("echo a")).toEqual(["echo a"]);
});

test.each([
  ["cat a | sort", "files"],
  ["git status", "files"],
  ["ps aux", "machine"],
  ["cat a; echo $(df -h)", "machine"],
  ["timeout 5 ss -tln", "machine"],
  ["env FOO=1 cat a", "files"],
  ["env", "machine"],
])("%s looks at %s", (command, looksAt) => {
  expect(analyseShell(command, place).looksAt).toBe(looksAt);
});

test.each([
  ["git status", [root]],
  ["git -C sub -C ../other log", [`${root}/other`]],
  ["cd vendor && git diff", [`${root}/vendor`]],
  ["(cd a; git log); git log", [root, `${root}/a`]],
])("%s works in %j", (command, directories) => {
  const found = analyseShell(command, place).commands.flatMap(({ repositories }) => repositories ?? []);
  expect([...new Set(found)].sort()).toEqual(directories);
});

test.each([
  ["find src -name '*.ts' -exec wc -l {} +", true],
  ["find . -name '*.ts' -print0 | xargs -0 grep -l add", true],
  ["xargs -n1 echo < README.md", true],
  ["find . -exec wc -l {} + -exec rm {} +", false],
  ["find . -execdir wc -l {} +", false],
  ["find . -exec wc -l {} + -delete", false],
  ["./find . -exec wc -l {} +", false],
  ["ls | xargs rm", false],
  ["ls | xargs", true],
  ["ls | xargs git diff", false],
  ["ls | xargs -o cat", false],
  ["ls | xargs sh -c 'cat $0'", false],
])("what starts commands looks if all of them do: %s", (command, readOnly) => {
  expect(analyseShell(command, place).readOnly).toBe(readOnly);
});
