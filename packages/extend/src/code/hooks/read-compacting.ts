/** Reads what hooks of code say before a conversation is shortened or moved: a no, wishes for the summary, or the summary. */
import { type CompactionAnswer, isJsonObject, type JsonObject } from "@kedge/protocol";

/** `cancel` alone, or with the reason. */
export function canceled({ cancel }: JsonObject): { readonly decision: "refuse"; readonly text: string } | undefined {
  if (cancel !== true && typeof cancel !== "string") return undefined;
  return { decision: "refuse", text: typeof cancel === "string" ? cancel : "no reason given" };
}

export function readCompacting(output: JsonObject): CompactionAnswer {
  const refusal = canceled(output);
  if (refusal !== undefined) return refusal;
  const { summary, shortSummary, context, prompt } = output;
  const kept = dataOf(output);
  if (typeof summary === "string") {
    const short = typeof shortSummary === "string" ? { shortSummary } : {};
    return { decision: "summary", summary, ...short, ...kept };
  }
  const texts = Array.isArray(context) ? context.filter((text) => typeof text === "string") : [];
  return {
    decision: "pass",
    ...(typeof prompt === "string" && { instructions: prompt }),
    ...(texts.length > 0 && { context: texts }),
    ...kept,
  };
}

/** What the plugin wants to find beside the summary later. */
function dataOf({ data, details }: JsonObject): { readonly data?: JsonObject } {
  const given = { ...(isJsonObject(data) && data), ...(details !== undefined && { details }) };
  // Both came as JSON.
  return Object.keys(given).length === 0 ? {} : { data: given as JsonObject };
}

/** What two hooks of one file wish for. */
export function joinWishes(left: CompactionAnswer, right: CompactionAnswer): CompactionAnswer {
  if (left.decision !== "pass" || right.decision !== "pass") return right;
  const instructions = [left.instructions, right.instructions].filter((each) => each !== undefined);
  const context = [...(left.context ?? []), ...(right.context ?? [])];
  const data = { ...left.data, ...right.data };
  return {
    decision: "pass",
    ...(instructions.length > 0 && { instructions: instructions.join("\n") }),
    ...(context.length > 0 && { context }),
    ...(Object.keys(data).length > 0 && { data }),
  };
}
