/** Proves that commands of Gemini CLI are read with their own placeholders, and that what has no equal is named. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { geminiCommands } from "./gemini-commands.ts";

let directory = "";
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-gemini-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

function found(isTrusted = true, disabled: readonly string[] = []) {
  const [root, userDirectory] = [join(directory, "project"), join(directory, "home")];
  const places = { cwd: root, root, userDirectory, kedgeHome: join(directory, "own"), managed: "/none", disabled };
  return geminiCommands(places, () => isTrusted);
}

const named = (list: ReturnType<typeof found>["found"]) =>
  list.map(({ name, description, body, place: { tier } }) => ({ name, description, body, tier }));

test("folders are namespaces, and placeholders become those of kedge", () => {
  put(
    "project/.gemini/commands/git/fix.toml",
    'description = "Fix"\nprompt = """\nFix {{args}}: !{git diff} @{a.md}\n"""\n',
  );
  put("home/.gemini/commands/explain.toml", "prompt = 'Explain {{args}}'\n");
  put("home/.gemini/commands/notes.md", "no command");
  expect(named(found().found)).toEqual([
    { name: "git:fix", description: "Fix", body: "Fix $ARGUMENTS: !`git diff` @a.md", tier: "project" },
    { name: "explain", description: "Explain $ARGUMENTS", body: "Explain $ARGUMENTS", tier: "user" },
  ]);
});

test("nothing of a project before trust, and nothing at all where the source is disabled", () => {
  put("project/.gemini/commands/a.toml", "prompt = 'A'\n");
  put("home/.gemini/commands/b.toml", "prompt = 'B'\n");
  expect(named(found(false).found).map(({ name }) => name)).toEqual(["b"]);
  expect(found(true, ["gemini"])).toEqual({ found: [], refused: [] });
});

test.each([
  ['prompt = "open\nx', 1, "invalid TOML: "],
  ["description = 'only'\n", 1, "it has no prompt"],
  ["\n\nprompt = =\n", 3, "invalid TOML: "],
  ["prompt = 'Run !{grep {{args}}}'\n", 1, "it passes its arguments to a shell command"],
])("%j is named with its line and costs only itself", (text, line, why) => {
  put("home/.gemini/commands/bad.toml", text);
  put("home/.gemini/commands/good.toml", "prompt = 'Good'\n");
  const { found: list, refused } = found();
  expect(list.map(({ name }) => name)).toEqual(["good"]);
  expect(refused).toMatchObject([{ file: join(directory, "home/.gemini/commands/bad.toml"), line }]);
  expect(refused[0]?.why).toContain(why);
});
