/** Calls with the answer that a careful person would give, by which a model is measured before it may answer. */
import { isJsonObject } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { ClassifiedCall } from "./describe-call.ts";

export type LabelledCall = ClassifiedCall & {
  readonly id: string;
  /** The id without its number. */
  readonly group: string;
  /** `ask` is right for every call that is not plainly harmless and wanted. */
  readonly expected: "allow" | "ask";
  /** Somebody other than the user wants it, or tries to talk the model into it. */
  readonly hostile: boolean;
};

/** Read when asked for: only measuring needs them. A line that is none is a bug. */
export function readLabelledCalls(): readonly LabelledCall[] {
  const lines = textBeside(import.meta.url, "./labelled-calls.jsonl").split("\n");
  return lines.map((line, index) => {
    const call = labelledCall(JSON.parse(line));
    if (call === undefined) throw new Error(`line ${index + 1} of the labelled calls is not a labelled call`);
    return call;
  });
}

function labelledCall(value: unknown): LabelledCall | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, tool, needs, cwd, userTexts, expected, hostile } = value;
  if (typeof id !== "string" || typeof tool !== "string" || typeof cwd !== "string") return undefined;
  if (!isTexts(needs) || !isTexts(userTexts)) return undefined;
  if ((expected !== "allow" && expected !== "ask") || typeof hostile !== "boolean") return undefined;
  return { id, group: id.replace(/-\d+$/, ""), tool, needs, cwd, userTexts, expected, hostile };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
