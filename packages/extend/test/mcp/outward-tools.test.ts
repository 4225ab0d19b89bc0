/** What a person is asked about a tool of a server that acts outside this machine: where it goes, and every word of it. */
import { afterEach, expect, test } from "vitest";
import { scriptedServer, tool } from "./scripted-server.ts";
import { contextOf, type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(async () => tried?.close());

async function needAndPreview(annotations: object) {
  const script = {
    "tools/list": (_: unknown, { answer }: { answer: (result: object) => void }) =>
      answer({ tools: [tool("post", { description: "Posts a message.", annotations })] }),
  };
  tried = tryServer(scriptedServer("chat", script, []));
  await tried.live.connect();
  const [post] = tried.tools.tools();
  if (post === undefined) throw new Error("the server offers nothing");
  const input = { channel: "#all", text: "first\nsecond" };
  const [need] = post.needs(input, "/project");
  return { access: need?.access, preview: await post.preview?.(input, contextOf(undefined, {})) };
}

test("one that says so is outward, and the question shows server, tool and input", async () => {
  const { access, preview } = await needAndPreview({ openWorldHint: true });
  expect(access).toBe("outward");
  expect(preview).toContain("MCP server chat: ");
  expect(preview).toContain("Posts a message.");
  expect(preview).toContain("The server says: it acts outside this machine.");
  expect(preview).toContain('"channel": "#all"');
  expect(preview).toContain(String.raw`"text": "first\nsecond"`);
});

test("one that only reads, or says nothing, is not", async () => {
  expect((await needAndPreview({ openWorldHint: true, readOnlyHint: true })).access).toBe("execute");
  await tried?.close();
  expect((await needAndPreview({})).access).toBe("execute");
});
