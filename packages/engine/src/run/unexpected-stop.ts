/** Asks a small model whether an answer announced work and stopped without doing it. */
import { type AssistantBlock, type StopReason, toolCalls, withoutPlaceholder } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { askAside, type SideAnswer, type SideQueryParts, type SideQuestion } from "./side-query.ts";

const template = textBeside(import.meta.url, "../prompts/unexpected-stop.md").replace(/^.*\n/, "");
const questionsCount = " A question to the developer about going on is an unexpected stop as well.";
const questionsDoNot = " A question to the developer is no unexpected stop.";

const timeoutMs = 4_000;
const answerTokensMax = 16;
/** Where a model cannot be kept from thinking before it answers. */
const thinkingTokensMax = 1_024;
/** The end of an answer says whether it is one. */
const shownCharactersMax = 8_000;

/** Undecided is no reason to go on. */
export type StopVerdict = { readonly isUnexpected: boolean } & Pick<SideAnswer, "model" | "usage" | "cost">;

/** Only words that end by themselves can be cut short. */
export function isCandidate(content: readonly AssistantBlock[], stopReason: StopReason | undefined): boolean {
  return stopReason === "end" && toolCalls(content).length === 0 && saidText(content) !== "";
}

export async function judgeStop(
  content: readonly AssistantBlock[],
  request: SideQueryParts & Pick<SideQuestion, "model" | "beside" | "signal"> & { readonly questions: boolean },
): Promise<StopVerdict> {
  const { model, beside, questions, signal, ...parts } = request;
  const answer = await askAside(parts, {
    model,
    ...(beside !== undefined && { beside }),
    source: "background",
    system: fillSlots(template, { questions: questions ? questionsCount : questionsDoNot }),
    messages: [{ role: "user", text: saidText(content).slice(-shownCharactersMax) }],
    temperature: 0,
    outputTokensMax: ({ capabilities }) =>
      capabilities === undefined || capabilities.reasoning === "none" ? answerTokensMax : thinkingTokensMax,
    timeoutMs,
    signal,
  });
  const { usage, cost, model: asked } = answer;
  return { isUnexpected: answer.ok && answer.text.trim().toLowerCase().startsWith("yes"), model: asked, usage, cost };
}

function saidText(content: readonly AssistantBlock[]): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return withoutPlaceholder(text);
}
