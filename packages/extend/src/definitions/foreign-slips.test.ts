/** Files as public collections have them: each loads with what its author meant, and a slip becomes a note. */
import { expect, test } from "vitest";
import type { DefinitionKind } from "./definition.ts";
import { makeDefinition } from "./make-definition.ts";

function made(text: string, kind: DefinitionKind = "skill", nameOfFile = "own-name") {
  const place = { source: "claude", tier: "user", folder: "/f" } as const;
  const read = makeDefinition({ kind, place, file: "/f/x.md", directory: "/f", text, nameOfFile });
  if (!read.ok) return read.why;
  const { name, description, fields, notes } = read.definition;
  return { name, description, fields: Object.fromEntries(fields), notes: notes.map(({ text: note }) => note) };
}

test("frontmatter in JSON, which YAML includes", () => {
  expect(
    made('---\n{"name": "forms", "description": "Fill: forms", "allowed-tools": ["Read"], "x": {"a": 1}}\n---\nDo.'),
  ).toEqual({
    name: "forms",
    description: "Fill: forms",
    fields: { name: "forms", description: "Fill: forms", "allowed-tools": ["Read"], x: { yaml: '{"a":1}' } },
    notes: ["the field x is ignored", 'the name differs from its directory "own-name"'],
  });
});

test.each([
  ["审查", "command", "审查"],
  ["ünïcode", "command", "ünïcode"],
  ["Код Ревью", "skill", "код-ревью"],
  ["🚀 launch", "command", "launch"],
  ["u\u0308ber", "command", "über"],
] as const)("a name in any script: %s", (file, kind, name) => {
  expect(made("Do it.", kind, file)).toMatchObject({ name });
});

test("a name that mixes alphabets is told, with the letters that only look Latin", () => {
  const told = "the name mixes alphabets, so it may look like another one: c<U+043E>mmit";
  expect(made("---\ndescription: x\n---\nDo it.", "command", "c\u043emmit")).toMatchObject({ notes: [told] });
});

test("what agents of OpenCode say is not reported as ignored", () => {
  const text =
    "---\ndescription: Reviews\nmode: subagent\ntemperature: 0.1\npermission:\n  edit: deny\n---\nYou review.";
  expect(made(text, "agent", "review")).toMatchObject({ name: "review", notes: [] });
});
