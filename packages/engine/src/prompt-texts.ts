/** Every text of ours that the model reads, filled from its data file. */
import type { FileChange, RecordKind } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { describeChanges } from "./call/files/describe-changes.ts";

const structuredRetry = prompt(textBeside(import.meta.url, "./prompts/structured-retry.md"));
const resume = prompt(textBeside(import.meta.url, "./prompts/resume.md"));
const emptyAnswer = prompt(textBeside(import.meta.url, "./prompts/empty-answer.md"));
const lastStep = prompt(textBeside(import.meta.url, "./prompts/last-step.md"));
const checkpointOpen = prompt(textBeside(import.meta.url, "./prompts/checkpoint-open.md"));
const rewound = prompt(textBeside(import.meta.url, "./prompts/rewound.md"));
const compaction = prompt(textBeside(import.meta.url, "./prompts/compaction-record.md"));
const branchSummary = prompt(textBeside(import.meta.url, "./prompts/branch-summary-record.md"));
const handoffRecord = prompt(textBeside(import.meta.url, "./prompts/handoff-record.md"));
const importedRecord = prompt(textBeside(import.meta.url, "./prompts/imported-record.md"));
const anotherApproach = prompt(textBeside(import.meta.url, "./prompts/another-approach.md"));
const raisedHeadless = prompt(textBeside(import.meta.url, "./prompts/raised-headless.md"));
const stopAsked = prompt(textBeside(import.meta.url, "./prompts/stop-asked.md"));
const steer = prompt(textBeside(import.meta.url, "./prompts/steer.md"));

/** The first line says which version of the text this is; the model has no use for it. */
export function prompt(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

export function structuredRetryReminder(problems: string): string {
  return fillSlots(structuredRetry, { problems });
}

export function resumeReminder(): string {
  return resume;
}

export function emptyAnswerReminder(): string {
  return emptyAnswer;
}

export function lastStepReminder(): string {
  return lastStep;
}

/** `reported` is fenced already. */
export function stopAskedReminder(reported: string): string {
  return fillSlots(stopAsked, { reported });
}

export function steerReminder(text: string): string {
  return fillSlots(steer, { text: harmless(text) });
}

export function anotherApproachReminder(): string {
  return anotherApproach;
}

/** For a call that no rule lets pass, in a run in which nobody can answer. */
export function raisedHeadlessText(reason: string): string {
  return fillSlots(raisedHeadless, { reason });
}

export function checkpointReminder(goal: string): string {
  return fillSlots(checkpointOpen, { goal: harmless(goal) });
}

/** What the model reads where its way from a checkpoint to its report was. */
export function rewoundReminder(report: string, files: readonly FileChange[]): string {
  const changes = files.length === 0 ? "No files were changed meanwhile." : `${describeChanges(files).line}.`;
  return fillSlots(rewound, { report: harmless(report), changes: harmless(changes) });
}

const ownTags =
  /<(?=\/?(?:system-reminder|(?:conversation|branch|handoff|imported)-record|session-to-record|previous-summary|user-words|restored-file|present-state|additional-context|untrusted-data)\b)/gi;

/** Text that looks like one of our tags is made harmless, so that nobody can end the reminder or the record early. */
export function harmless(text: string): string {
  return text.replace(ownTags, "&lt;");
}

const reminderStart = /^<system-reminder>$/gm;

/**
 * Puts what nothing from outside can know into the tags of genuine reminders. The text must be one that the engine made:
 * whatever it quotes was made harmless before.
 */
export function signReminders(text: string, nonce: string | undefined): string {
  return nonce === undefined ? text : text.replace(reminderStart, `<system-reminder nonce="${nonce}">`);
}

/** How kedge itself speaks in a message of the user's role. */
export function reminderText(text: string): string {
  return `<system-reminder>\n${harmless(text)}\n</system-reminder>`;
}

const recordTexts: { readonly [Kind in Exclude<RecordKind, "note">]: string } = {
  "branch-summary": branchSummary,
  handoff: handoffRecord,
  imported: importedRecord,
};

/** A text that is no order, and says so; but for what the user says. */
export function recordText(kind: RecordKind, text: string): string {
  if (kind === "note") return text;
  return fillSlots(recordTexts[kind], { text: harmless(text) });
}

/** What stands for the older part of a conversation, and what the model needs again. */
export function compactionText(summary: string, restored: readonly string[]): string {
  return [fillSlots(compaction, { summary: harmless(summary) }), ...restored].join("\n\n");
}
