/** Files of agents as people leave them: each is used or refused, and what is wrong is said with file and line. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentTable } from "@kedge/agents/definitions";
import { afterEach, expect, test } from "vitest";
import { findAgents } from "../../src/agents/find-agents.ts";
import { definitionsText, listAgentDefinitions } from "../../src/agents/list-agents.ts";
import { findBases } from "../../src/extensions/extension-places.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-found-agents-")));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function found(files: { readonly [path: string]: string }, given = {}): Promise<AgentTable> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const home = { userDirectory: join(root, "user"), kedgeHome: join(root, "home"), managed: join(root, "managed") };
  const places = { cwd: root, root, disabled: [], ...home };
  return findAgents({ places, bases: findBases(places), isTrusted: () => true, definitions: {}, given });
}

test("YAML files are found at any depth, and the line of a mistake is named", async () => {
  const table = await found({
    ".kedge/agents/tea/green.yaml": "name: green\ndescription: Green tea.\nprompt: Taste.\nmax_turns: lots\n",
    ".kedge/agents/open.yml": 'name: open\nprompt: Taste.\ndescription: "open\n',
    ".kedge/agents/list.yaml": "- one\n- two\n",
  });
  expect(table.find("green")?.notes).toEqual(["line 4: max_turns must be a number from 1 to 200; 50 is used"]);
  expect(table.refused.map(({ file, why }) => [file.slice(root.length + 1), why])).toEqual([
    [".kedge/agents/list.yaml", "not valid YAML: the file must be a mapping of fields"],
    [".kedge/agents/open.yml", expect.stringMatching(/^not valid YAML: line \d: Missing closing/)],
  ]);
});

test("what is wrong in a file that is used is said with its line, and the list names the file", async () => {
  const file = ".claude/agents/taster.md";
  const table = await found({
    [file]:
      "---\r\nname: taster\r\ndescription: Tastes.\r\ndisallowedTools: Wrte\r\npermissionMode: dontAsk\r\n---\r\nTaste.\r\n",
  });
  const notes = [
    'line 4: error: kedge has no tool "Wrte"; it counts only if a custom tool has this name',
    "line 5: permission_mode has no effect: an agent has the mode of its session",
  ];
  expect(table.find("taster")?.notes).toEqual(notes);
  const text = definitionsText(listAgentDefinitions(table));
  expect(text).toContain(`in ${join(root, file)}`);
});

test("an agent of the command line without a prompt says what it works with", async () => {
  const table = await found({}, { bare: { description: "Nothing else." } });
  expect(table.find("bare")?.notes).toEqual(["no prompt; it works with the prompt of kedge"]);
});

test("a name that is no text is a problem with its line, and no other name takes its place", async () => {
  const written = (name: string) => `---\ndescription: Tastes.\nname: ${name}\n---\nTaste.\n`;
  const table = await found({
    ".claude/agents/open.md": written("[broken"),
    ".claude/agents/list.md": written("\n  - one\n  - two"),
    ".claude/agents/mapping.md": written("{ a: b }"),
    ".claude/agents/text.md": written('"quoted"'),
    ".claude/agents/none.md": written(""),
    ".kedge/agents/list.yaml": "prompt: Taste.\nname: [one]\n",
    ".kedge/agents/number.yaml": "prompt: Taste.\nname: 7\n",
    ".kedge/agents/empty.yaml": "prompt: Taste.\nname:\n",
  });
  const why = "its name is not a text";
  expect(table.refused.map((each) => [each.file.slice(root.length + 1), each.line, each.why]).toSorted()).toEqual([
    [".claude/agents/list.md", 3, why],
    [".claude/agents/mapping.md", 3, why],
    [".claude/agents/open.md", 3, why],
    [".kedge/agents/list.yaml", 2, why],
  ]);
  const own = table.used.flatMap(({ tier, name }) => (tier === "project" ? [name] : []));
  expect(own.toSorted()).toEqual(["7", "empty", "none", "quoted"]);
});
