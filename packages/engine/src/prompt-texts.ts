/** Every text of ours that the model reads, filled from its data file. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { PromptParts, Workspace } from "./parts.ts";

const system = textBeside(import.meta.url, "./prompts/system.md");
const structuredAnswer = textBeside(import.meta.url, "./prompts/structured-answer.md");
const structuredRetry = textBeside(import.meta.url, "./prompts/structured-retry.md");
const lastStep = textBeside(import.meta.url, "./prompts/last-step.md");
const steer = textBeside(import.meta.url, "./prompts/steer.md");

export function systemPrompt(
  prompt: PromptParts,
  workspace: Workspace,
  options: { readonly model: string; readonly structured: boolean },
): string {
  const base =
    prompt.override ??
    fillSlots(system, {
      model: options.model,
      cwd: workspace.cwd,
      root: workspace.root,
      git: prompt.isGitRepository ? "yes" : "no",
      platform: prompt.platform,
      shell: prompt.shell,
      date: prompt.date,
    });
  return [base, options.structured ? structuredAnswer : undefined, prompt.append]
    .filter((text) => text !== undefined)
    .join("\n\n");
}

export function structuredRetryReminder(problems: string): string {
  return fillSlots(structuredRetry, { problems });
}

export function lastStepReminder(): string {
  return lastStep;
}

/** Text that looks like one of our tags is made harmless, so that nobody can end the reminder early. */
export function steerReminder(text: string): string {
  return fillSlots(steer, { text: text.replace(/<(?=\/?system-reminder)/gi, "&lt;") });
}
