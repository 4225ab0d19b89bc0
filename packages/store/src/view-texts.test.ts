/** A view that was written down between two runs goes on as if it had not been: the same state, and the same changes of rows. */
import { applyToView, emptyView, type FactRecord } from "@kedge/protocol";
import { createSeededRandom, randomSession, recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import { textsOfView, viewOfTexts } from "./view-texts.ts";

test("random sessions, written down between any two runs", () => {
  const random = createSeededRandom();
  let written = 0;
  for (let round = 0; round < 60; round += 1) {
    const records = recordsOf(randomSession(random, { steps: 12 + random.below(40) }));
    const { sessionId = "" } = records[0] ?? {};
    const from = random.below(records.length);
    const view = emptyView(sessionId);
    const isThere = ({ seq }: FactRecord) => seq > from && view.skeleton.runId === undefined;
    const middle = 1 + records.findIndex((record) => applyToView(view, record) && isThere(record));
    // The rest of this one is a single run.
    if (middle === 0) continue;
    const read = viewOfTexts(sessionId, textsOfView(view));
    if (read === undefined) throw new Error("it cannot be read back");
    expect(read).toEqual(view);
    for (const record of records.slice(middle)) expect(applyToView(read, record)).toEqual(applyToView(view, record));
    expect(read).toEqual(view);
    written += 1;
  }
  expect(written).toBeGreaterThan(30);
});

test("texts of another session, or not all of them, are none", () => {
  const view = emptyView("ses_1");
  const texts = [...textsOfView(view)];
  expect(viewOfTexts("ses_1", texts)).toEqual(view);
  expect(viewOfTexts("ses_2", texts)).toBeUndefined();
  expect(viewOfTexts("ses_1", texts.slice(0, 1))).toBeUndefined();
  expect(viewOfTexts("ses_1", texts.slice(1))).toBeUndefined();
  expect(viewOfTexts("ses_1", [])).toBeUndefined();
  expect(
    viewOfTexts(
      "ses_1",
      texts.map((text) => text.slice(1)),
    ),
  ).toBeUndefined();
});
