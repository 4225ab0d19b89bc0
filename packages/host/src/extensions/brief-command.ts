/** `/brief`: how briefly the model writes, and instruction files made shorter without losing anything exact. */
import type { LocalAnswer } from "@kedge/engine";
import { brevityLevel, brevityLevels, brevityStyle } from "@kedge/extend/styles";
import type { SessionState } from "@kedge/protocol";
import { keepBriefLevel } from "./brief-level-file.ts";
import { applyCompressed, compressPrompt, restoreOriginal } from "./compress-file.ts";

const usage = `Usage: /brief ${brevityLevels.join("|")}|off|status, or /brief commit|review|compress <file>|apply <file>|restore <file>.`;

/** `home` is kedge's own directory. */
export async function runBrief(argument: string, state: SessionState, home: string): Promise<LocalAnswer> {
  const answer = await answerOf(argument, state);
  if ("style" in answer && answer.style !== undefined) keepBriefLevel(home, answer.style.brevity?.name);
  return answer;
}

async function answerOf(argument: string, state: SessionState): Promise<LocalAnswer> {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument.trim()) ?? [];
  switch (word.toLowerCase()) {
    case "off":
      return { text: "Brief mode is off.", style: chosen(state, undefined) };
    case "status":
      return { text: statusOf(state) };
    case "commit":
      return {
        prompt:
          `Write a commit message for the present changes: one imperative subject line of at most 50 characters, a body only where the reason is not obvious. Print only the message and commit nothing. ${rest}`.trim(),
      };
    case "review":
      return {
        prompt:
          `Review the present changes. One line per finding: path:line, severity, problem, fix. No praise, no summary. ${rest}`.trim(),
      };
    case "compress":
      return compressPrompt(rest, state.directory);
    case "apply":
      return { text: applyCompressed(rest, state.directory) };
    case "restore":
      return { text: restoreOriginal(rest, state.directory) };
    default: {
      const level = rest === "" ? brevityLevel(word) : undefined;
      if (level === undefined) return { text: usage };
      return { text: `Brief mode: ${level}. Turn it off with /brief off.`, style: chosen(state, brevityStyle(level)) };
    }
  }
}

function chosen({ style }: SessionState, brevity: SessionState["brevity"]) {
  return { ...(style !== undefined && { style }), ...(brevity !== undefined && { brevity }) };
}

function statusOf({ brevity }: SessionState): string {
  const level = brevity === undefined ? "off" : brevity.name;
  return `Brief mode: ${level}. Only answers get shorter; reasoning and tool calls are unchanged. Measure the savings with kedge bench brief.`;
}
