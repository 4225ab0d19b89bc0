/** Proves the commands about the size of a conversation: what is moved out of sight, and what it is made of. */
import type { Media } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, callOf, compactAt, openSite, overflowAt, result, type Site, shown, words } from "./compaction-site.ts";
import { createTool } from "./harness.ts";

const picture: Media = { name: "shot.png", mediaType: "image/png", base64: "A".repeat(4096) };

/** One long result, one short one, and one with a picture. */
async function openLooked(): Promise<Site & { readonly written: readonly string[] }> {
  const written: string[] = [];
  const outputs = new Map([
    ["long", { output: words(2_000, "word\n"), title: "" }],
    ["short", { output: "one line", title: "" }],
    ["picture", { output: "a picture", title: "", media: [picture] }],
  ]);
  const look = createTool({
    name: "look",
    run: async (input) => outputs.get(String((input as { readonly at: string }).at)) ?? { output: "", title: "" },
  });
  const site = openSite({
    tools: [look],
    turns: [
      callOf("a", "look", { at: "long" }),
      callOf("b", "look", { at: "short" }),
      callOf("c", "look", { at: "picture" }),
      answer("Seen.", 5_000),
      answer("Again."),
    ],
    parts: {
      newArtifacts: () => ({
        create: () => ({ number: 7, path: "", write: (text) => void written.push(text), close: () => undefined }),
        pathOf: () => undefined,
        numbers: () => [],
      }),
    },
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, "Look at all");
  return { ...site, written };
}

test("everything long is moved into artifacts when the user asks for it", async () => {
  const site = await openLooked();
  const count = site.harness.facts().length;
  const shaken = await site.harness.engine.send({ type: "context.shake", sessionId: "ses_1" });
  const facts = site.harness.facts().slice(count);
  expect(facts).toEqual([
    {
      type: "context.cleared",
      reason: "shaken",
      results: [
        { stepId: "stp_1", callId: "a", text: expect.stringContaining("[Moved to artifact://7 (6000 characters)") },
        { stepId: "stp_3", callId: "c", text: "a picture\n[shot.png (image/png, 3 KB) is not shown]" },
      ],
      tokensFreed: expect.any(Number),
    },
  ]);
  const freed = facts[0]?.type === "context.cleared" ? facts[0].tokensFreed : 0;
  expect(shaken).toEqual({ ok: true, value: { resultCount: 2, tokensFreed: freed } });
  expect(site.written).toEqual([words(2_000, "word\n")]);
  expect(await site.harness.engine.send({ type: "context.shake", sessionId: "ses_1" })).toEqual({
    ok: true,
    value: { resultCount: 0, tokensFreed: 0 },
  });
});

test("on request only pictures go, and never while a run is under way", async () => {
  const site = await openLooked();
  const shaken = await site.harness.engine.send({ type: "context.shake", sessionId: "ses_1", images: true });
  expect(shaken).toMatchObject({ ok: true, value: { resultCount: 1 } });
  expect(site.written).toEqual([]);
  await site.harness.prompt("ses_1", "Again");
  expect(shown(site.asked.at(-1), 60)).toContain("tool: a picture [shot.png (image/png, 3 KB) is not shown]");

  const busy: Site = openSite({
    tools: [
      createTool({
        name: "look",
        run: async () => {
          const refused = await busy.harness.engine.send({ type: "context.shake", sessionId: "ses_1" });
          return { output: refused.ok ? "shaken" : refused.failure.code, title: "" };
        },
      }),
    ],
    turns: [callOf("a", "look", {}), answer("Done.")],
  });
  const sessionId = await busy.harness.open("bypass");
  await busy.harness.prompt(sessionId, "Look");
  expect(busy.harness.facts().find(({ type }) => type === "tool.ended")).toMatchObject({ output: "session_busy" });
  expect(result(busy)).toMatchObject({ reason: "completed" });
});

test("the parts of a conversation are named with what they count for", async () => {
  const site = await openLooked();
  const looked = await site.harness.engine.send({ type: "context.inspect", sessionId: "ses_1" });
  expect(looked).toEqual({
    ok: true,
    value: {
      model: "mock/model",
      windowTokens: 100_000,
      tokens: 5_000,
      isMeasured: true,
      compactAt,
      overflowAt,
      sources: [{ name: "base prompt", kind: "policy", place: "prefix", origin: "--system-prompt", tokens: 2 }],
      parts: [
        { name: "tool definitions", tokens: expect.any(Number) },
        { name: "prompts", tokens: 4 },
        { name: "answers", tokens: expect.any(Number) },
        { name: "tool output", tokens: expect.any(Number) },
      ],
      tools: [{ name: "look", state: "loaded", tokens: expect.any(Number) }],
    },
  });
  expect(await site.harness.engine.send({ type: "context.inspect", sessionId: "ses_9" })).toMatchObject({ ok: false });
});
