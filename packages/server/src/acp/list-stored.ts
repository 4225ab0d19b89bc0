/** Lists stored sessions for an editor, a page at a time. */
import type { ListSessionsRequest, ListSessionsResponse } from "@agentclientprotocol/sdk";
import { type Client, isJsonObject, type SessionFilter } from "@kedge/protocol";
import { requestError } from "./request-error.ts";

/** Sessions of one page of a list. */
const listedMax = 50;

type ListRequest = {
  readonly directory: ListSessionsRequest["cwd"];
  readonly cursor: ListSessionsRequest["cursor"];
};

export async function listStored(
  client: Pick<Client, "sessions">,
  { directory, cursor }: ListRequest,
): Promise<ListSessionsResponse> {
  const after = cursor == null ? undefined : readCursor(cursor);
  const sessions = await client.sessions({
    ...(directory != null && { directory }),
    ...(after !== undefined && { after }),
    limit: listedMax,
  });
  const last = sessions.length === listedMax ? sessions.at(-1) : undefined;
  return {
    sessions: sessions.map(({ sessionId, directory: place, title, updatedAt }) => ({
      sessionId,
      cwd: place,
      title,
      updatedAt: new Date(updatedAt).toISOString(),
    })),
    ...(last !== undefined && { nextCursor: cursorOf(last) }),
  };
}

type Place = NonNullable<SessionFilter["after"]>;

function cursorOf({ updatedAt, sessionId }: Place): string {
  return Buffer.from(JSON.stringify({ updatedAt, sessionId })).toString("base64url");
}

/** What we did not write ourselves is refused, so that no page is silently the first one again. */
function readCursor(cursor: string): Place {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (isJsonObject(parsed)) {
      const { updatedAt, sessionId } = parsed;
      if (typeof updatedAt === "number" && typeof sessionId === "string") return { updatedAt, sessionId };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw requestError("invalidParams", "Invalid cursor. Request the list from its start.");
}
