/** Reads what a moment from outside answered: others wrote it, so no type holds for it. What it cannot be is thrown. */
import type {
  AddedContext,
  CallsAnswer,
  CompactionAnswer,
  MomentPermission,
  MoveAnswer,
  PromptAnswer,
  StopAnswer,
} from "@kedge/protocol";
import { type Fields, fieldsOf, objectOf, textOf } from "../call/outside/phase-answers.ts";

export function readPromptAnswer(answer: unknown): PromptAnswer | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  switch (decision) {
    case "refuse":
      return { decision, text: textOf(fields, "text"), ...speakerOf(fields) };
    case "pass":
      return {
        decision,
        ...(fields["text"] !== undefined && { text: textOf(fields, "text") }),
        ...contextOf(fields),
        ...speakerOf(fields),
      };
    default:
      throw unknownDecision();
  }
}

export function readAddedContext(answer: unknown): AddedContext | undefined {
  if (answer === undefined) return undefined;
  const { context = [] } = contextOf(fieldsOf(answer));
  return { context };
}

export function readPermissionAnswer(answer: unknown): MomentPermission | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  if (decision !== "allow" && decision !== "refuse") throw unknownDecision();
  return { decision, text: textOf(fields, "text") };
}

export function readCallsAnswer(answer: unknown): CallsAnswer | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  return { ...contextOf(fields), ...(fields["endRun"] !== undefined && { endRun: textOf(fields, "endRun") }) };
}

export function readCompactionAnswer(answer: unknown): CompactionAnswer | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  const data = fields["data"] === undefined ? {} : { data: objectOf(fields, "data") };
  switch (decision) {
    case "refuse":
      return { decision, text: textOf(fields, "text") };
    case "pass": {
      const wish = fields["instructions"] === undefined ? {} : { instructions: textOf(fields, "instructions") };
      return { decision, ...wish, ...contextOf(fields), ...data };
    }
    case "summary": {
      const short = fields["shortSummary"] === undefined ? {} : { shortSummary: textOf(fields, "shortSummary") };
      return { decision, summary: textOf(fields, "summary"), ...short, ...data };
    }
    default:
      throw unknownDecision();
  }
}

export function readMoveAnswer(answer: unknown): MoveAnswer | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  if (decision === "refuse") return { decision, text: textOf(fields, "text") };
  if (decision === "summary") return { decision, summary: textOf(fields, "summary") };
  throw unknownDecision();
}

export function readStopAnswer(answer: unknown): StopAnswer | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsOf(answer);
  const { decision } = fields;
  if (decision !== "continue") throw unknownDecision();
  return { decision, text: textOf(fields, "text"), ...speakerOf(fields) };
}

function contextOf({ context }: Fields): { readonly context?: readonly string[] } {
  if (context === undefined) return {};
  const isTexts = Array.isArray(context) && context.every((text): text is string => typeof text === "string");
  if (!isTexts) throw new Error("context in its answer is not a list of strings");
  return { context };
}

function speakerOf(fields: Fields): { readonly by?: string } {
  return fields["by"] === undefined ? {} : { by: textOf(fields, "by") };
}

function unknownDecision(): Error {
  return new Error("its decision is unknown");
}
