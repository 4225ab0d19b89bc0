/** `memory://`: the topics that count. What waits for the user is not among them. */
import type { ProjectMemory } from "../memory/open-memory.ts";
import { readTopics } from "../search/read-topics.ts";
import type { OwnScheme } from "./scheme.ts";

export type MemoryParts = { readonly memory: Pick<ProjectMemory, "place" | "openStore"> };

export function memoryScheme({ memory }: MemoryParts): OwnScheme {
  return {
    isForeign: true,
    list: async () =>
      (await readTopics(memory)).map(({ id, title }) => ({ name: id, about: (title ?? "").replaceAll("\n", ": ") })),
    text: async (name) => (await readTopics(memory)).find(({ id }) => id === name)?.text,
  };
}
