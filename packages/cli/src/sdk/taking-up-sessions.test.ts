/** Which commands take up a session that is not open, and which do not. */
import type { Client } from "@kedge/protocol";
import { expect, test } from "vitest";
import { takingUpSessions } from "./taking-up-sessions.ts";

const sessionId = "ses_000000000000abcd1234";

/** No session is open until it is resumed. */
function openClient() {
  const sent: string[] = [];
  let isOpen = false;
  const client: Pick<Client, "send"> = {
    // Every command gets the same answer; only its type is looked at.
    send: (async ({ type }: { readonly type: string }) => {
      sent.push(type);
      if (type === "session.resume") isOpen = true;
      const failure = { code: "not_found", message: "No such session.", retryable: false };
      return isOpen ? { ok: true, value: {} } : { ok: false, failure };
    }) as Client["send"],
  };
  // Nothing else of a client is called here.
  return { client: takingUpSessions(client as Client), sent };
}

test("a session is taken up when a command needs it", async () => {
  const { client, sent } = openClient();
  expect(await client.send<"context.inspect">({ type: "context.inspect", sessionId })).toMatchObject({ ok: true });
  expect(sent).toEqual(["context.inspect", "session.resume", "context.inspect"]);
});

test("a wait is ended only where one is under way: nothing is taken up for it", async () => {
  const { client, sent } = openClient();
  expect(await client.send<"retry.hasten">({ type: "retry.hasten", sessionId })).toMatchObject({ ok: false });
  expect(sent).toEqual(["retry.hasten"]);
});
