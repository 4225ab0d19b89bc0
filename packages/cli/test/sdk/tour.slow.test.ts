/** Proves that one program, written against nothing but the published SDK, prints the same in process and over HTTP. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { expect, test } from "vitest";
import { installSdk } from "./published-package.ts";
import { openSdkBench, openServer } from "./sdk-bench.ts";

const program = readFileSync(join(import.meta.dirname, "../../../../examples/sdk-tour.ts"), "utf8");

function answer({ body }: MockRequest): MockTurn {
  const last = body.messages?.at(-1);
  if (last?.role === "tool") return { text: "Written." };
  switch (last?.content) {
    case "Say hello in one word.":
      return { text: "Hello!" };
    case "Write hello to tour.txt.":
      return { toolCalls: [{ name: "write", input: { filePath: "tour.txt", content: "hello\n" } }] };
    case "Count to a million.":
      return { text: "1, 2, 3, 4, 5, 6, 7, 8, 9, 10", deltaCharacters: 2, stallAfterBytes: 600 };
    default:
      return { text: "Goodbye!" };
  }
}

const printed = `# create and prompt
Hello!
# permission
write asks for edit
Written.
tour.txt holds "hello\\n"
# abort
aborted
# revert
tour.txt was put back
tour.txt is gone
# fork
Goodbye!
# export
the export has the last prompt
the record is whole
`;

test("the tour prints the same in process and over HTTP", async () => {
  const bench = await openSdkBench(answer);
  try {
    const sdk = await installSdk(bench, { "sdk-tour.ts": program });
    await sdk.check(["sdk-tour.ts"]);
    expect(await sdk.run("sdk-tour.ts", { argv: [bench.project] })).toBe(printed);
    rmSync(join(bench.project, "tour.txt"), { force: true });
    const server = await openServer(bench);
    try {
      const environment = { KEDGE_URL: server.url, KEDGE_TOKEN: server.token };
      expect(await sdk.run("sdk-tour.ts", { environment })).toBe(printed);
    } finally {
      await server.close();
    }
  } finally {
    await bench.close();
  }
});
