import type { Model, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createDeferredTools } from "./deferred-tools.ts";

const model: Model = { ref: "m/a", provider: "m", id: "a", contextTokens: 1_000, outputTokensMax: 100 };

/** Only its name is read. */
const named = (name: string) => ({ name }) as Tool;

const serversOf = (count: number, toolsEach: number): readonly Tool[] =>
  Array.from({ length: count * toolsEach }, (_, at) =>
    named(`mcp__server_${String(at % count).padStart(3, "0")}__do_something_${at}`),
  );

function createReader() {
  let tools: readonly Tool[] = [];
  let shown: string | undefined;
  const source = createDeferredTools(() => tools);
  return (next: readonly Tool[]) => {
    tools = next;
    const session = { model, shown: () => shown } as unknown as Parameters<typeof source.read>[0];
    const [block] = source.read(session) as readonly { readonly text: string; readonly hash?: string }[];
    if (block !== undefined) shown = block.hash;
    return block?.text;
  };
}

test("few tools are named, and a change names what came and what went", () => {
  const read = createReader();
  expect(read([])).toBeUndefined();
  const few = serversOf(2, 1);
  expect(read(few)).toBe(
    "Deferred tools (load with tool_search): mcp__server_000__do_something_0, mcp__server_001__do_something_1",
  );
  expect(read([...few])).toBeUndefined();
  expect(read([...few.slice(1), named("job")])).toBe(
    "The deferred tools changed. Added (load with tool_search): job. Removed: mcp__server_000__do_something_0.",
  );
});

test("many tools are named by server, and what is part of a group is not told as removed", () => {
  const read = createReader();
  read([named("job"), ...serversOf(2, 2)]);
  const text = read([named("job"), ...serversOf(2, 100)]);
  expect(text).toBe(
    "The deferred tools changed. Added (load with tool_search): mcp__server_000__* (100), mcp__server_001__* (100).",
  );
  expect(read([named("job"), ...serversOf(2, 101)])).toBe(
    "The deferred tools changed. Added (load with tool_search): mcp__server_000__* (101), mcp__server_001__* (101).",
  );
  expect(read([named("job")])).toContain("Removed: mcp__server_000__* (101), mcp__server_001__* (101).");
});

test("with very many servers the rest is a number", () => {
  const text = createReader()(serversOf(500, 2)) ?? "";
  expect(text.length).toBeLessThan(2_500);
  expect(text).toMatch(/mcp__server_000__\* \(2\), .*, \d+ more$/);
});
