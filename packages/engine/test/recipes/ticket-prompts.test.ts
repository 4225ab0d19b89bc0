/** Proves the recipe for session moments. */
import { expect, test } from "vitest";
import { createHarness, say } from "../harness.ts";
import { ticketPrompts } from "./ticket-prompts.ts";

test("a prompt without a ticket never reaches the model, and one with a ticket does", async () => {
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [ticketPrompts] } });
  const sessionId = await harness.open();
  const refused = await harness.prompt(sessionId, "Fix it");
  const answered = await harness.prompt(sessionId, "Fix T-12");
  expect([refused.fact, answered.fact]).toMatchObject([
    { reason: "stopped_by_hook", text: "ticket-prompts: Name the ticket, such as T-12.", turns: 0 },
    { reason: "completed", text: "done" },
  ]);
  expect(JSON.stringify(harness.requests)).not.toContain("Fix it");
  expect(JSON.stringify(harness.requests)).toContain("Tickets are described in docs/tickets.");
});
