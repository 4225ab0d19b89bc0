import { expect, test } from "vitest";
import { createWrittenSession, text, type WrittenCall, type WrittenSession } from "../../test/written-session.ts";
import { planShake, type ShakeMode } from "./shake.ts";

const media = [{ name: "a.png", mediaType: "image/png", base64: "A".repeat(4_096) }];
const stub = "[a.png (image/png, 3 KB) is not shown]";

const written = (...calls: readonly WrittenCall[]) => {
  const session = createWrittenSession();
  for (const call of calls) session.step({ calls: [call] });
  session.answer();
  return session;
};

async function shake(session: WrittenSession, mode: ShakeMode) {
  const saved: string[] = [];
  const save = async (output: string, tool: string) => saved.push(`${tool} ${output.length}`) + 6;
  return { fact: await planShake(session.state, { mode, save }), saved };
}

const moved = (number: number, characters: number) =>
  `[Moved to artifact://${number} (${characters} characters). Read it by ranges, such as artifact://${number}:1-200.]`;

test("everything long is moved, but for skills and the plan", async () => {
  const session = written(
    { tool: "bash", output: text(400) },
    { tool: "bash", output: text(399) },
    { tool: "skill", output: text(900) },
    { tool: "read", input: { filePath: ".kedge/plans/a.md" }, output: text(900) },
    { tool: "bash", output: text(500), outcome: "failed" },
    { tool: "read", output: text(600), media },
    { tool: "read", output: "a.png", media },
  );
  expect(await shake(session, "all")).toEqual({
    saved: ["bash 1600", "bash 2000", "read 2400"],
    fact: {
      type: "context.cleared",
      reason: "shaken",
      results: [
        { stepId: "stp_1", callId: "call_1", text: moved(7, 1_600) },
        { stepId: "stp_5", callId: "call_5", text: moved(8, 2_000) },
        { stepId: "stp_6", callId: "call_6", text: `${moved(9, 2_400)}\n${stub}` },
        { stepId: "stp_7", callId: "call_7", text: `a.png\n${stub}` },
      ],
      tokensFreed: 5_413,
    },
  });
});

test("by itself it leaves the newest 16,000 tokens and does nothing for less than 4,000", async () => {
  const newest = { tool: "bash", output: text(16_000) };
  const fewer = await shake(written({ tool: "bash", output: text(4_029) }, newest), "automatic");
  expect(fewer).toEqual({ saved: [], fact: undefined });
  const enough = await shake(written({ tool: "bash", output: text(4_030) }, newest), "automatic");
  expect(enough.fact?.results).toEqual([{ stepId: "stp_1", callId: "call_1", text: moved(7, 16_120) }]);
  const recent = await shake(
    written({ tool: "bash", output: text(9_000) }, { tool: "bash", output: text(15_000) }),
    "automatic",
  );
  expect(recent).toEqual({ saved: [], fact: undefined });
});

test("images only: the text stays", async () => {
  const session = written({ tool: "read", output: text(900), media }, { tool: "bash", output: text(900) });
  expect(await shake(session, "images")).toEqual({
    saved: [],
    fact: {
      type: "context.cleared",
      reason: "shaken",
      results: [{ stepId: "stp_1", callId: "call_1", text: `${text(900)}\n${stub}` }],
      tokensFreed: 1_990,
    },
  });
});

test("what the model has not seen stays", async () => {
  const session = createWrittenSession();
  session.step({ calls: [{ tool: "bash", output: text(900), media }] });
  expect(await shake(session, "all")).toEqual({ saved: [], fact: undefined });
  expect(await shake(session, "images")).toEqual({ saved: [], fact: undefined });
});

test("what was moved is not moved again", async () => {
  const session = written({ tool: "bash", output: text(900) }, { tool: "read", output: "", media });
  const { fact } = await shake(session, "all");
  if (fact !== undefined) session.emit(fact);
  expect(await shake(session, "all")).toEqual({ saved: [], fact: undefined });
  expect(await shake(session, "images")).toEqual({ saved: [], fact: undefined });
});
