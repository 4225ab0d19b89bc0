/** Asks a small model about two topics that speak of the same thing: which one counts, if they cannot both. */
import { isJsonObject } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { fenceItem } from "../fence/fence-item.ts";
import type { StoredTopic } from "../topics/contents/contents.ts";

export type RelatedVerdict = "successor" | "conflict" | "unrelated";

export const verdictSystem = textBeside(import.meta.url, "./related-verdict.md");
const request = textBeside(import.meta.url, "./verdict-request.md");

export const verdictTokensMax = 128;
const topicBytesMax = 4_096;

export function verdictRequest(newer: StoredTopic, older: StoredTopic, nonce: string): string {
  return fillSlots(request, { newer: fenced(newer, nonce), older: fenced(older, nonce) });
}

/** Undefined where the answer is none of the three: then nothing is settled. */
export function readVerdict(answer: string): RelatedVerdict | undefined {
  const json = /\{[\s\S]*?\}/.exec(answer)?.[0];
  try {
    const parsed: unknown = json === undefined ? undefined : JSON.parse(json);
    const verdict = isJsonObject(parsed) ? parsed["verdict"] : undefined;
    return verdict === "successor" || verdict === "conflict" || verdict === "unrelated" ? verdict : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fenced({ topic, path }: StoredTopic, nonce: string): string {
  const { name, description, body, origin, updated } = topic;
  const text = `${name}: ${description}\n\n${body}`;
  return fenceItem({ kind: "topic", name: path, origin, saved: updated, nonce, text, bytesMax: topicBytesMax });
}
