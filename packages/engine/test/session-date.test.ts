/** Proves that each session begins with the date of the day it was opened on, and keeps it while it is open. */
import { expect, test } from "vitest";
import { createHarness, say } from "./harness.ts";

test("a process that lives on over midnight gives a new session the new date and an open one its own", async () => {
  let date = "2026-01-01";
  const prompt = { platform: "linux", shell: "bash", isGitRepository: false, today: () => date };
  const turns = Array.from({ length: 4 }, () => say("Fine."));
  const { open, resume, prompt: send, engine, requests } = createHarness({ turns, parts: { prompt } });
  const dateOf = (index: number) => /- Date: (\S+)/.exec(requests[index]?.systemTail ?? "")?.[1];

  const first = await open();
  await send(first, "one");
  date = "2026-01-02";
  await send(first, "two");
  const second = await open();
  await send(second, "one");
  expect([0, 1, 2].map(dateOf)).toEqual(["2026-01-01", "2026-01-01", "2026-01-02"]);
  expect(requests[1]?.systemTail).toBe(requests[0]?.systemTail);

  await engine.send({ type: "session.close", sessionId: first });
  await resume(first);
  await send(first, "three");
  expect(dateOf(3)).toBe("2026-01-02");
});
