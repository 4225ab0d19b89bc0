/** Another grammar reads the same texts: every program that it finds must be among ours. */
import { createRequire } from "node:module";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { Language, type Node, Parser } from "web-tree-sitter";
import { createShellAnalyser } from "../src/shell/analyse-shell.ts";
import type { LookIntoProgram } from "../src/shell/shell-command.ts";
import { parseScript } from "../src/shell/syntax/parse-script.ts";
import { createScriptGenerator, programs } from "./generate-script.ts";

const scriptsCount = 600;

const knowNothing: LookIntoProgram = () => ({
  inner: [],
  isTransparent: false,
  otherTexts: [],
  riskyOptions: [],
  files: [],
  concerns: [],
  assigned: [],
  arithmetic: [],
  readOnly: false,
});

function commandNames(node: Node): readonly string[] {
  if (node.hasError) return [];
  const name = node.type === "command_name" ? [node.text] : [];
  return [...name, ...node.children.flatMap((child) => (child === null ? [] : commandNames(child)))];
}

test("finds every program that tree-sitter finds", async () => {
  const random = createSeededRandom();
  await Parser.init();
  const require = createRequire(import.meta.url);
  const parser = new Parser();
  parser.setLanguage(await Language.load(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")));
  const generator = createScriptGenerator(random);
  const analyse = createShellAnalyser({ lookInto: knowNothing });
  const place = { cwd: "/w", root: "/w", home: "/h", lookAtPath: () => ({ place: "inside" as const, otherNames: [] }) };
  let compared = 0;
  for (let count = 0; count < scriptsCount || compared <= scriptsCount; count += 1) {
    const script = generator.valid();
    if (!parseScript(script).ok) continue;
    const tree = parser.parse(script);
    if (tree === null) continue;
    const ours = new Set(analyse(script, place).commands.flatMap(({ text }) => [text.split(" ")[0]]));
    // It takes reserved words for programs now and then.
    const theirs = commandNames(tree.rootNode).filter((name) => name !== "time" && programs.includes(name));
    tree.delete();
    const missing = theirs.filter((name) => !ours.has(name));
    expect({ script, missing }).toEqual({ script, missing: [] });
    compared += theirs.length;
  }
});
