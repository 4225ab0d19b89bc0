/** Proves that a kedge that has been running for days tells the model of a new session what day it is. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-session-date-")));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function openSession({ door }: Kedge): Promise<string> {
  const created = await door.send<"session.create">({ type: "session.create", mode: "default", model: "mock/model" });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value.sessionId;
}

async function prompt({ door }: Kedge, sessionId: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const stop = door.subscribe(sessionId, (event) => {
      if (event.kind !== "fact" || event.record.fact.type !== "run.ended") return;
      stop();
      resolve();
    });
  });
  await door.send<"prompt.submit">({
    type: "prompt.submit",
    ...{ sessionId, text: "hi", delivery: "follow-up", options: {} },
  });
  await ended;
}

test("the date is that of the day the session was opened on, not of the start of the process", async () => {
  const model = await startMockModel({ script: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
  const [project, homeDirectory] = [join(directory, "project"), join(directory, "home")];
  mkdirSync(project);
  mkdirSync(homeDirectory);
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-test" } };
  writeFileSync(join(homeDirectory, "config.json"), JSON.stringify({ provider, titles: { enabled: false } }));
  let nowMs = Date.parse("2026-02-27T23:59:59Z");
  const place = { project, userDirectory: directory, homeDirectory, environment: {}, interactive: false };
  const kedge = await openAssembled({ ...place, now: () => nowMs });
  const first = await openSession(kedge);
  await prompt(kedge, first);
  nowMs = Date.parse("2026-03-02T00:00:01Z");
  await prompt(kedge, first);
  await prompt(kedge, await openSession(kedge));
  await kedge.close();
  await model.close();
  const dates = model.requests.map(({ raw }) => /- Date: (\d{4}-\d\d-\d\d)/.exec(raw.toString())?.[1]);
  expect(dates).toEqual(["2026-02-27", "2026-02-27", "2026-03-02"]);
});
