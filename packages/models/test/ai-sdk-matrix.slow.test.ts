/** Proves that a provider package keeps the Provider contract over real HTTP, but for what the package itself rules out. */
import { chatMockWire, providerMatrix } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { createAiSdkProvider } from "../src/ai-sdk/ai-sdk-provider.ts";

const packageName = "@ai-sdk/openai-compatible";

/** Cases that cannot hold, each with what the package does instead. */
const ruledOut: ReadonlyMap<string, string> = new Map([
  [
    "parallel tool calls, each whole as soon as the next begins",
    "calls are reported as whole only at the end of the answer, because what attaches to them may come until then",
  ],
  ["a tool call without an id gets a stable one", "the id is made up before kedge sees the call, from random letters"],
]);

describe(`provider matrix: ${packageName}`, () => {
  const cases = providerMatrix({
    wire: chatMockWire,
    make: ({ baseUrl, apiKey, ...timeouts }) =>
      createAiSdkProvider({
        packageName,
        providerName: "mock",
        settings: { baseURL: baseUrl, apiKey },
        load: (name) => import(name),
        ...timeouts,
      }),
  });
  for (const { name, run } of cases) if (!ruledOut.has(name)) test(name, run);

  test("what is ruled out is still part of the matrix", () => {
    const names = cases.map(({ name }) => name);
    expect([...ruledOut.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });
});
