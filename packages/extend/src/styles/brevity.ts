/** Brevity: how briefly the model is to write, by levels, and the words by which it is switched on and off. */
import type { WritingStyle } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";

export const brevityLevels = ["lite", "full", "ultra", "wenyan-lite", "wenyan-full", "wenyan-ultra"] as const;

export type BrevityLevel = (typeof brevityLevels)[number];

const rules: { readonly [Level in BrevityLevel]: () => string } = {
  lite: () => textBeside(import.meta.url, "./brevity/lite.md"),
  full: () => textBeside(import.meta.url, "./brevity/full.md"),
  ultra: () => textBeside(import.meta.url, "./brevity/ultra.md"),
  "wenyan-lite": () => textBeside(import.meta.url, "./brevity/wenyan-lite.md"),
  "wenyan-full": () => textBeside(import.meta.url, "./brevity/wenyan-full.md"),
  "wenyan-ultra": () => textBeside(import.meta.url, "./brevity/wenyan-ultra.md"),
};

/** The level that a word names; undefined for any other word. Nothing at all means `full`. */
export function brevityLevel(word: string): BrevityLevel | undefined {
  const name = word.trim().toLowerCase();
  if (name === "") return "full";
  return name === "wenyan" ? "wenyan-full" : brevityLevels.find((level) => level === name);
}

export function brevityStyle(level: BrevityLevel): WritingStyle {
  const frame = textBeside(import.meta.url, "./brevity/frame.md");
  return { name: level, text: fillSlots(frame, { level, rules: rules[level]() }) };
}
