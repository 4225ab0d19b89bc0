/** `/review`: the prompt for a review by the model of the session. */
import type { LocalAnswer } from "@kedge/engine";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { ProofParts } from "../proof/proof-parts.ts";
import { openCheckout } from "../worktrees/open-worktrees.ts";
import { freezeDiff } from "./frozen-diff.ts";

export async function runSlashReview(argument: string, parts: ProofParts): Promise<LocalAnswer> {
  const opened = openCheckout(parts);
  if (!opened.ok) return { text: opened.failure.message };
  const prompt = (what: string) => ({
    prompt: fillSlots(textBeside(import.meta.url, "./texts/review-task.md"), { what }),
  });
  const number = /^#?(\d+)$/.exec(argument)?.[1];
  if (number !== undefined) return prompt(`pull request ${number} (gh pr view ${number}, gh pr diff ${number})`);
  if (argument.includes("..")) return prompt(`the commits ${argument} (git diff ${argument})`);
  const diff = await freezeDiff(opened.value.repository, argument === "" ? "HEAD" : argument);
  if (diff.ok)
    return prompt(`the changes since ${diff.value.base.slice(0, 12)} (git diff ${diff.value.base.slice(0, 12)})`);
  if (argument !== "") return { text: diff.failure.message };
  return {
    prompt:
      "There are no uncommitted changes to review. List the open pull requests with gh pr list and ask the user which one to review. If gh is not available, say so.",
  };
}
