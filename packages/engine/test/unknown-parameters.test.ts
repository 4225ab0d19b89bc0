/** Proves that the model is told which of its parameters a tool ignored, and that nothing is said of those it took. */
import type { Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

/** Takes `path`, and `file` as another spelling of it. */
const look: Tool = {
  ...createTool({ name: "look" }),
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  parse: (input) => ({
    ok: true,
    input: { path: (input as { path?: string; file?: string }).path ?? Object(input).file },
  }),
  run: async () => ({ output: "seen", title: "" }),
};

async function outputFor(input: { readonly [name: string]: string | number }, tool: Tool = look): Promise<string> {
  const harness = createHarness({ tools: [tool], turns: [calls(call("c1", "look", input)), say("Done.")] });
  await harness.prompt(await harness.open("bypass"), "Go");
  const last = harness.requests[1]?.messages.at(-1);
  return last?.role === "tool" ? last.output : "";
}

test("what is known, also by another spelling, needs no words", async () => {
  expect(await outputFor({ path: "a" })).toBe("seen");
  expect(await outputFor({ file: "a" })).toBe("seen");
});

test("what was ignored is named below the result, with what there is", async () => {
  expect(await outputFor({ path: "a", depth: 3 })).toBe('seen\n\nIgnored: "depth". look takes path.');
  expect(await outputFor({ file: "a", depth: 3 })).toBe('seen\n\nIgnored: "depth". look takes path.');
});

test("the same letters spelled as other tools do stand for the parameter, once", async () => {
  const edit: Tool = {
    ...createTool({ name: "look" }),
    inputSchema: { type: "object", properties: { filePath: { type: "string" }, newString: { type: "string" } } },
    parse: (input) => ({ ok: true, input: { filePath: Object(input).filePath, newString: Object(input).newString } }),
    run: async (input) => ({ output: JSON.stringify(input), title: "" }),
  };
  const outcome = (input: { readonly [name: string]: string }, tool = edit) => outputFor(input, tool);
  expect(await outcome({ file_path: "a", new_string: "b" })).toBe('{"filePath":"a","newString":"b"}');
  expect(await outcome({ "FILE-PATH": "a" })).toBe('{"filePath":"a"}');
  const takes = "look takes filePath, newString.";
  expect(await outcome({ filePath: "a", file_path: "b" })).toBe(`{"filePath":"a"}\n\nIgnored: "file_path". ${takes}`);
  expect(await outcome({ file_path: "a", filepath: "b" })).toBe(`{"filePath":"a"}\n\nIgnored: "filepath". ${takes}`);
  const open: Tool = { ...edit, inputSchema: { ...edit.inputSchema, additionalProperties: true } };
  expect(await outcome({ file_path: "a" }, open)).toContain('Ignored: "file_path".');
});

test("many and long names are cut", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`n${number}`, number]));
  expect(await outputFor({ path: "a", ...many })).toBe(
    'seen\n\nIgnored: "n0", "n1", "n2", "n3", "n4" and 995 more. look takes path.',
  );
  expect(await outputFor({ path: "a", ["x".repeat(500)]: 1 })).toBe(
    `seen\n\nIgnored: "${"x".repeat(60)}". look takes path.`,
  );
});

test("a tool that does not say what it takes ignores nothing that we know of", async () => {
  expect(await outputFor({ anything: 1 }, { ...look, inputSchema: { type: "object" } })).toBe("seen");
});
