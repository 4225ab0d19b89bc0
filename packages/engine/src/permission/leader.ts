/** The session that another one works for: whatever it may not do, those below it may not do either. */
import type { PermissionMode, PermissionRule, RuleSet } from "@kedge/protocol";
import type { Questions } from "../call/asking/questions.ts";
import type { SessionDialogue } from "../session/dialogue.ts";

export type Leader = {
  readonly rules: readonly RuleSet[];
  /** What a person granted there counts below as well. */
  readonly grants: () => readonly PermissionRule[];
  readonly mode: () => PermissionMode;
  readonly onlyLooks: boolean;
  /** Where a person is asked: in the session at the top, which somebody looks at. */
  readonly questions: Questions;
  readonly dialogue: SessionDialogue;
  /** The one that it works for itself. */
  readonly leader?: Leader;
};

/** From the mode that allows least to the one that allows most. */
const byWidth: readonly PermissionMode[] = ["plan", "default", "accept-edits", "auto", "bypass"];

export function narrowerMode(one: PermissionMode, other: PermissionMode): PermissionMode {
  return byWidth.indexOf(one) <= byWidth.indexOf(other) ? one : other;
}

/** The nearest first. */
export function leadersOf(leader: Leader | undefined): readonly Leader[] {
  return leader === undefined ? none : [leader, ...leadersOf(leader.leader)];
}

const none: readonly Leader[] = [];
