/** The topics of a project as notes to search in. */
import { existsSync } from "node:fs";
import type { Note } from "@kedge/memory/search";
import type { ProjectMemory } from "../memory/open-memory.ts";

/** Those that count: nothing that waits for the user's word, and nothing that a later topic replaced. */
export async function readTopics({
  place,
  openStore,
}: Pick<ProjectMemory, "place" | "openStore">): Promise<readonly Note[]> {
  if (place.state !== "on" || !existsSync(place.directory)) return [];
  const { recallableTopics } = await import("@kedge/memory/topics");
  const stored = recallableTopics(await (await openStore()).read());
  return stored.map(({ path, topic: { name, description, body } }) => ({
    id: path,
    title: `${name}\n${description}`,
    text: body,
  }));
}
