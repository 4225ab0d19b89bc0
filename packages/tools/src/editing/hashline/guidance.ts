/** Words the texts that a model reads about its line-addressed edits; the texts themselves lie in `guidance.json`. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { Rejection, RejectionKind } from "./operations.ts";

export type RecoveryKind = "session-chain" | "external" | "session-replay";

type Texts<Name extends string> = { readonly [name in Name]: string };

type Guidance = {
  readonly rejections: Texts<RejectionKind>;
  readonly warnings: Texts<"bareRows" | "closerLine" | "unseenLines" | "unchanged">;
  readonly banners: Texts<RecoveryKind>;
  readonly previews: Texts<RecoveryKind>;
  readonly mismatches: Texts<"drifted" | "unknown" | "closed" | "missing" | "moved" | "tooLarge">;
  readonly noops: Texts<"first" | "stop">;
};

type Slots = { readonly [name: string]: string };

export function describeRejection({ kind, row, slots }: Rejection): string {
  return `Row ${row}: ${fillSlots(readGuidance().rejections[kind], slots)}`;
}

export function describeWarning(kind: keyof Guidance["warnings"], slots: Slots): string {
  return fillSlots(readGuidance().warnings[kind], slots);
}

export function describeRecovery(kind: RecoveryKind, slots: Slots): string {
  return fillSlots(readGuidance().banners[kind], slots);
}

/** The same for a person who is asked for permission, before there is a new tag. */
export function describeRecoveryAhead(kind: RecoveryKind, slots: Slots): string {
  return fillSlots(readGuidance().previews[kind], slots);
}

export function describeMismatch(kind: keyof Guidance["mismatches"], slots: Slots): string {
  return fillSlots(readGuidance().mismatches[kind], slots);
}

export function describeNoop(kind: keyof Guidance["noops"], slots: Slots): string {
  return fillSlots(readGuidance().noops[kind], slots);
}

/** Only calls that went wrong or sideways come here, so nothing is kept. */
function readGuidance(): Guidance {
  // The file is part of the program, and a test fills every text of it.
  return JSON.parse(textBeside(import.meta.url, "./guidance.json")) as Guidance;
}
