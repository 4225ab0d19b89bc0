/** What a body becomes: arguments in their places, commands run once, and nothing that was put in is read again. */
import { expect, test } from "vitest";
import type { Definition } from "./definition.ts";
import { expandBody, hasShell } from "./expand-body.ts";
import { fillArguments } from "./fill-arguments.ts";
import { makeDefinition } from "./make-definition.ts";
import { splitWords } from "./split-words.ts";

function definition(text: string, kind: Definition["kind"] = "command", source = "claude"): Definition {
  const place = { source, tier: "project", folder: "/p" } as const;
  const made = makeDefinition({ kind, place, file: "/p/x.md", directory: "/p", text, nameOfFile: "x" });
  return made.ok ? made.definition : expect.fail(made.why);
}

async function expand(text: string, given = "", kind: Definition["kind"] = "command", source = "claude") {
  const made = definition(text, kind, source);
  const filled = await fillArguments(made, given);
  if (!filled.ok) return { text: filled.sentence, ran: [] };
  const ran: string[] = [];
  const expanded = await expandBody(made, {
    arguments: filled.arguments,
    variables: { SESSION_ID: "ses_1", SKILL_DIR: "/p/my skill", PROJECT_DIR: "/work" },
    runShell: async (commands) => {
      ran.push(...commands);
      return commands.map((command) =>
        command.startsWith("rm") ? { ran: false, why: "no rule allows it" } : { ran: true, output: `<${command}>\n` },
      );
    },
    readFile: (path) => (path === "src/a.ts" ? "const a = 1;" : undefined),
  });
  return { text: expanded, ran };
}

const slot = (name: string) => `\${${name}}`;

test.each<readonly [body: string, given: string, text: string]>([
  ["Fix $ARGUMENTS now", "issue 7", "Fix issue 7 now"],
  ["$1 then $2", '"a b" c', "a b then c"],
  ["$0 then $1", "a b", "a then b"],
  ["$ARGUMENTS[1]", "a b", "b"],
  ["It costs $9.99 or $1,200", "", "It costs $9.99 or $1,200"],
  ["Do it", "with care", "Do it\n\nArguments: with care"],
  ["Do it", "", "Do it"],
  [
    `${slot("CLAUDE_SESSION_ID")} ${slot("KEDGE_SESSION_ID")} ${slot("OTHER")} $HOME`,
    "",
    `ses_1 ses_1 ${slot("OTHER")} $HOME`,
  ],
  ["See @src/a.ts and a@b.c", "", 'See @src/a.ts and a@b.c\n\n<file path="src/a.ts">\nconst a = 1;\n</file>'],
  ["State: !`git status`.", "", "State: <git status>."],
  ["!`a` $1 !`b`!`c`", "x", "<a> x <b><c>"],
  ["A\n```!\nls\npwd\n```\nB", "", "A\n<ls\npwd>\nB"],
  ["```sh\n!ls\n```", "", "```sh\n!ls\n```"],
])("%j with %j", async (body, given, text) => {
  expect((await expand(body, given)).text).toBe(text);
});

test("in a skill the first argument is $0, as its author knows it", async () => {
  expect((await expand("$0 $1", "a b", "skill")).text).toBe("a b");
  expect((await expand("$1", "a b", "skill")).text).toBe("b");
});

test("an argument is never read again, for commands, files, variables or arguments", async () => {
  const hostile = `!\`touch /tmp/canary\` $2 @src/a.ts ${slot("KEDGE_SESSION_ID")}`;
  const { text, ran } = await expand("Do $ARGUMENTS", hostile);
  expect(text).toBe(`Do ${hostile}`);
  expect(ran).toEqual([]);
});

test("the output of a command is never read again", async () => {
  const { text, ran } = await expand("!`echo '$ARGUMENTS'` $1", "x");
  expect(ran).toEqual(["echo 'x'"]);
  expect(text).toBe("<echo 'x'> x");
});

test("in a command each argument is one word", async () => {
  expect((await expand("!`gh pr view $1`", "'7; rm x'")).ran).toEqual(["gh pr view '7; rm x'"]);
  expect((await expand(`!\`ls ${slot("KEDGE_SKILL_DIR")}\``)).ran).toEqual(["ls '/p/my skill'"]);
  expect((await expand("!`git log $ARGUMENTS`", "-n 5 $(id)")).ran).toEqual(["git log -n 5 '$(id)'"]);
});

test("a command that may not run leaves a note for the model", async () => {
  expect((await expand("!`rm x`")).text).toBe(
    "[Not run: rm x (no rule allows it). If you need its output, run it with bash.]",
  );
  expect((await expand("---\nshell: powershell\n---\n!`ls`")).text).toContain("it is for powershell");
});

const deploy = `---
parameters:
  - name: place
    required: true
    choices: [test, live]
  - name: version
    default: latest
---
To $place: $version`;

test.each([
  ["live", "To live: latest"],
  ["live 1.2", "To live: 1.2"],
  ["version=1.2 test", "To test: 1.2"],
  ["", "Missing: place. Usage: /x <place> [version], by position or as name=value."],
  ["moon", "place must be one of test, live, not moon."],
])("parameters with %j", async (given, text) => {
  expect((await expand(deploy, given)).text).toBe(text);
});

test("words are split as a shell reads them", () => {
  expect(splitWords(`a "b c" d\\ e f'g h' "" 'x`)).toEqual(["a", "b c", "d e", "fg h", "", "'x"]);
});

test("a body is known to run commands or not", () => {
  expect(["!`ls`", "x\n```!\nls\n```", "`ls`", "```\nls\n```"].map((body) => hasShell({ body }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

/** As prompt files of Copilot write what they ask for. */
const input = (name: string) => `\${input:${name}}`;

test.each([
  ["omp", "Ship $@ now", "a b", "Ship a b now"],
  ["claude", 'run "$@"', "a b", 'run "$@"\n\nArguments: a b'],
  ["codex", "Stage $FILES in $HOME", "FILES='a b'", "Stage a b in $HOME"],
  ["codex", "Costs $$5, like $1", "tea", "Costs $5, like tea"],
  ["claude", "Costs $$1", "tea", "Costs $tea"],
  ["claude", "Stage $FILES", "FILES=a", "Stage $FILES\n\nArguments: FILES=a"],
  ["github", `About ${input("topic:which one")} for ${input("who")}`, "tea who=me", "About tea for me"],
])("%s: %s", async (source, text, given, expected) => {
  expect((await expand(text, given, "command", source)).text).toBe(expected);
});

test.each([
  ["Costs \\$1.50, see \\$ARGUMENTS and $1.", "Costs $1.50, see $ARGUMENTS and tea."],
  [`In \${workspaceFolder}/src and \${CLAUDE_PROJECT_DIR} for $1`, "In /work/src and /work for tea"],
  [`Run !\`ls \${workspaceFolder} \\$1 $1\``, "Run <ls /work \\$1 tea>"],
])("an escaped dollar, and the folder as Copilot names it: %s", async (body, expected) => {
  expect((await expand(body, "tea")).text).toBe(expected);
});
