/** The session that a query works in: a new one, or one that is taken up, with the model and mode that were asked for. */
import { FailureError } from "@kedge/protocol";
import type { QueryOptions } from "./query-options.ts";

export type OpenedSession = {
  readonly sessionId: string;
  /** The number of a fact that it has; of its newest one, unless it changes in this moment. */
  readonly lastSeq: number;
};

export async function openSession({ client, sessionId, model, mode, signal }: QueryOptions): Promise<OpenedSession> {
  const call = { ...(signal !== undefined && { signal }) };
  const wish = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  if (sessionId === undefined) {
    const created = wanted(await client.send<"session.create">({ type: "session.create", ...wish }, call));
    return { sessionId: created.sessionId, lastSeq: 1 };
  }
  wanted(await client.send<"session.resume">({ type: "session.resume", sessionId, ...wish }, call));
  const { session, lastSeq } = wanted(await client.ask<"session.read">({ type: "session.read", sessionId }, call));
  // One that was open already was left as it is.
  if (mode !== undefined && session.mode !== mode) {
    wanted(await client.send<"mode.change">({ type: "mode.change", sessionId, mode }, call));
  }
  if (model !== undefined && session.model !== model) {
    wanted(await client.send<"model.change">({ type: "model.change", sessionId, model }, call));
  }
  return { sessionId, lastSeq };
}

function wanted<Value>(
  answer:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly failure: FailureError["failure"] },
): Value {
  if (!answer.ok) throw new FailureError(answer.failure);
  return answer.value;
}
