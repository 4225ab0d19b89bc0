/** The prompt of `/init`: what was found in the repository, and what the model is to make of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { gatherProject } from "./gather-project.ts";

const prompt = textBeside(import.meta.url, "./init-prompt.md");

const create = "write AGENTS.md at the root, and take over what still holds from instructions for other agents.";
const improve =
  "improve the AGENTS.md that is there by small edits: keep what is true, correct what is not, add what is missing. Do not replace it.";

/** `wish` is what the user wants besides; empty for nothing. */
export function initPrompt(root: string, wish: string): string {
  const findings = gatherProject(root).map(({ title, names }) => `- ${title}: ${names.join(", ")}`);
  const found = findings.length === 0 ? "- nothing that is usual" : findings.join("\n");
  const task = existsSync(join(root, "AGENTS.md")) ? improve : create;
  const text = fillSlots(prompt, { found, task });
  return wish === "" ? text : `${text}\n\n${wish}`;
}
