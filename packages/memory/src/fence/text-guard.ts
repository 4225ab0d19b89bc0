/** Notices texts that should not be believed or remembered unseen. An entry point of its own, because few sessions need it. */
import type { TextChannel } from "@kedge/protocol";
import { findAttack } from "./find-attack.ts";
import { neutraliseInstruction, neutraliseText } from "./neutralise-text.ts";
import { quarantineReason } from "./quarantine.ts";

export type GuardedText = {
  /** The text as it enters the prompt. */
  readonly neutralised: string;
  /** Something was changed, or the text is suspicious. A sign, never an answer. */
  readonly flagged: boolean;
};

export function guardText(text: string, channel: TextChannel): GuardedText {
  const neutralised = channel === "instruction" ? neutraliseInstruction(text) : neutraliseText(text, channel);
  // The line ends of another system say nothing about a text.
  const isChanged = neutralised !== text.replaceAll("\r\n", "\n");
  // What any manual may say, such as how something is installed, is still nothing to remember unseen.
  const isKeptApart = channel === "memory" && quarantineReason(text) !== undefined;
  return { neutralised, flagged: isChanged || isKeptApart || isSuspicious(text) };
}

/** Whether the text reads like an attack on whoever follows it. */
export function isSuspicious(text: string): boolean {
  return findAttack(text) !== undefined;
}
