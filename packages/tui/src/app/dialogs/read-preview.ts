/** Reads what is shown of a session before it is opened: its newest messages, and the branch that it began on. */
import { type Client, FailureError } from "@kedge/protocol";
import type { PreviewedSession } from "../../dialogs/session/session-preview.ts";

const previewMessages = 100;

export async function readPreview(client: Client, sessionId: string): Promise<PreviewedSession> {
  const [page, branch] = await Promise.all([
    client.messages(sessionId, { limit: previewMessages }),
    firstBranch(client, sessionId),
  ]);
  return { ...page, ...(branch !== undefined && { branch }) };
}

/** The first fact has it. Where facts cannot be read, the messages are still worth showing. */
async function firstBranch(client: Client, sessionId: string): Promise<string | undefined> {
  try {
    for await (const { fact } of client.facts(sessionId)) {
      return fact.type === "session.created" ? fact.branch : undefined;
    }
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}
