/** Decides what can be repaired in a memory directory without asking: form, secrets, and what must not be loaded. */
import type { Contents, StoredTopic } from "../contents/contents.ts";
import { topicPath } from "../directory/store-files.ts";
import { topicCaps } from "../topic/topic.ts";
import type { Plan } from "./memory-writer.ts";
import { type Drafted, draftFile, redraft } from "./plan-save.ts";

export type RepairParts = { readonly clean: (text: string) => string; readonly day: string };

/** The result names what was repaired. */
export function planRepair(contents: Contents, parts: RepairParts): Plan<readonly string[]> {
  const drafted: Drafted = { files: new Map(), entries: new Map() };
  const repaired = contents.topics.filter((stored) => repair(contents, stored, drafted, parts)).map(({ path }) => path);
  return { ...drafted, label: "Repair", result: repaired };
}

function repair(contents: Contents, stored: StoredTopic, drafted: Drafted, { clean, day }: RepairParts): boolean {
  const { topic, place, path, text, problems, suspicion } = stored;
  const isPlanted = place === "active" && suspicion !== undefined;
  if (!isPlanted && problems.length === 0 && clean(text) === text.replaceAll("\r\n", "\n")) return false;
  if (topic.body === "" || topic.body.length > topicCaps.body) return false;
  const whole = {
    ...topic,
    description: topic.description || topic.name,
    created: topic.created || day,
    updated: topic.updated || day,
  };
  if (!isPlanted) {
    redraft(contents, stored, whole, drafted);
    return true;
  }
  // One of the same name that waits already keeps its place; the text is the newer one's.
  draftFile({ place: "quarantine", topic: whole, source: { origin: topic.origin } }, drafted);
  if (path !== topicPath("quarantine", topic.slug)) {
    drafted.files.set(path, null);
    drafted.entries.set(path, null);
  }
  return true;
}
