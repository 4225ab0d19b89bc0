/** What clients ask of memory: what waits for the user's review. */
import type { QueryAnswer } from "@kedge/protocol";
import type { OpenDesk } from "./open-desk.ts";

export async function listInbox({ memory }: Pick<OpenDesk, "memory">): Promise<QueryAnswer<"memory.inbox">> {
  const { place } = memory;
  if (place.state !== "on") return { ok: true, value: { topics: [] } };
  const { waitingTopics } = await import("@kedge/memory/topics");
  const topics = waitingTopics(await (await memory.openStore()).read());
  return {
    ok: true,
    value: {
      topics: topics.map(({ topic, path, suspicion, sessionId }) => ({
        ...{ slug: topic.slug, name: topic.name, description: topic.description, text: topic.body, path },
        ...{ kind: topic.type, origin: topic.origin, created: topic.created },
        ...(suspicion !== undefined && { suspicion }),
        ...(sessionId !== undefined && { sessionId }),
      })),
    },
  };
}
