/** `/reproduce`: starts the reproduction of a bug, shows where those of the session are, and runs the last one again. */
import type { LocalAnswer } from "@kedge/engine";
import type { Json, Reproduction } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { openCheckout } from "../worktrees/open-worktrees.ts";
import { checkAfter } from "./check-reproduction.ts";
import type { OpenedProof } from "./open-proof.ts";
import { createReproduceTool } from "./reproduce-tool.ts";
import { reproductionText } from "./reproduction-words.ts";

export async function runSlashReproduce(argument: string, sessionId: string, proof: OpenedProof): Promise<LocalAnswer> {
  const own = proof.of(sessionId);
  const known = own.reproductions();
  if (argument === "") return listed(known);
  const opened = openCheckout(proof.parts);
  if (!opened.ok) return { text: [opened.failure.message, opened.failure.recovery ?? ""].join(" ").trim() };
  if (argument === "check") {
    const last = known.at(-1);
    if (last === undefined) return listed(known);
    const { parts } = proof;
    const checked = await checkAfter(last, { ...parts, cwd: parts.project.cwd, worktrees: opened.value });
    if (!checked.ok) return { text: [checked.failure.message, checked.failure.recovery ?? ""].join(" ").trim() };
    await own.record(checked.value);
    return listed([checked.value]);
  }
  const id = `rep-${known.length + 1}`;
  await own.record({ id, state: "unproven", issue: argument, before: [], after: [] });
  proof.offer(sessionId, "reproduce", createReproduceTool(own));
  return {
    prompt: fillSlots(textBeside(import.meta.url, "./texts/reproduce-task.md"), { issue: argument, id }),
    terms: { name: "/reproduce", allow: [{ permission: "reproduce", pattern: "*", action: "allow" }] },
  };
}

function listed(known: readonly Reproduction[]): LocalAnswer {
  if (known.length === 0) return { text: "No reproductions. Start one with /reproduce <issue>." };
  return { text: known.map(reproductionText).join("\n\n"), data: { reproductions: [...known] } as Json };
}
