/** Every text of ours that the model reads, filled from its data file. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { PromptParts, Workspace } from "./parts.ts";

const basePrompt = textBeside(import.meta.url, "./prompts/system.md");
const structuredAnswer = textBeside(import.meta.url, "./prompts/structured-answer.md");
const structuredRetry = textBeside(import.meta.url, "./prompts/structured-retry.md");
const resume = textBeside(import.meta.url, "./prompts/resume.md");
const emptyAnswer = textBeside(import.meta.url, "./prompts/empty-answer.md");
const lastStep = textBeside(import.meta.url, "./prompts/last-step.md");
const steer = textBeside(import.meta.url, "./prompts/steer.md");

/** What every session shares, and what holds for this one and follows it. */
export type SystemTexts = { readonly system: string; readonly systemTail?: string };

export function systemPrompt(
  prompt: PromptParts,
  workspace: Workspace,
  options: { readonly model: string; readonly structured: boolean },
): SystemTexts {
  const base =
    prompt.override ??
    fillSlots(basePrompt, {
      model: options.model,
      cwd: workspace.cwd,
      root: workspace.root,
      git: prompt.isGitRepository ? "yes" : "no",
      platform: prompt.platform,
      shell: prompt.shell,
      date: prompt.date,
    });
  const system = [base, options.structured ? structuredAnswer : undefined, prompt.append]
    .filter((text) => text !== undefined)
    .join("\n\n");
  return { system };
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

/** Text that looks like one of our tags is made harmless, so that nobody can end the reminder early. */
export function steerReminder(text: string): string {
  return fillSlots(steer, { text: text.replace(/<(?=\/?system-reminder)/gi, "&lt;") });
}
