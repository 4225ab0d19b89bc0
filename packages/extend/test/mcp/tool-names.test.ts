/** Proves that names of tools fit every vendor, stay the same, and never meet. */
import { expect, test } from "vitest";
import { serverIds, toolNames, wireName } from "../../src/mcp/tools/tool-names.ts";

test("other characters become underscores, and those that meet get a number in sorted order", () => {
  expect([...serverIds(["git hub", "git.hub", "a-b", "Git_Hub"])]).toEqual([
    ["Git_Hub", "Git_Hub"],
    ["a-b", "a-b"],
    ["git hub", "git_hub_2"],
    ["git.hub", "git_hub_3"],
  ]);
  const { names, collided } = toolNames("s", ["read file", "read_file", "read.file", "bash"]);
  expect(Object.fromEntries(names)).toEqual({
    bash: "mcp__s__bash",
    "read file": "mcp__s__read_file",
    "read.file": "mcp__s__read_file_2",
    read_file: "mcp__s__read_file_3",
  });
  expect(collided).toEqual(["read.file", "read_file"]);
});

test("a long name is cut, ends with a digest, and is always the same one", () => {
  const long = `mcp__server__${"x".repeat(80)}`;
  expect(wireName(long)).toMatch(/^mcp__server__x{44}_[0-9a-f]{6}$/);
  expect(wireName(long)).toBe(wireName(long));
  expect(wireName(`${long}y`)).not.toBe(wireName(long));
  expect(wireName("mcp__a__b")).toBe("mcp__a__b");
});
