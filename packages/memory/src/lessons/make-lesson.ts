/** Makes the lesson of a run without a model: the same run always gives the same words. */
import { counted } from "@kedge/protocol";
import { type Lesson, type LessonOutcome, lessonCharactersMax, summaryCharactersMax } from "./lesson.ts";
import type { EndedRun } from "./run-notes.ts";

export type LessonMaking = {
  readonly id: string;
  readonly sessionId: string;
  readonly now: number;
  readonly redact: (text: string) => string;
};

const errorCharactersMax = 160;
const errorsMax = 3;
const toolsMax = 64;

/** Undefined for a run that made no step or answered nothing. Secrets go before anything is cut. */
export function makeLesson(run: EndedRun, { id, sessionId, now, redact }: LessonMaking): Lesson | undefined {
  const outcome = outcomeOf(run);
  if (outcome === undefined) return undefined;
  const plain = (text: string, charactersMax: number) => cut(oneLine(redact(text)), charactersMax);
  const tools = [...new Set(run.toolNames.map((name) => plain(name, 80)))].slice(0, toolsMax);
  const errors = run.errors.slice(0, errorsMax).map((error) => plain(error, errorCharactersMax));
  return {
    lesson_id: id,
    task_summary: plain(run.task, summaryCharactersMax),
    outcome,
    lesson: cut(
      outcome === "succeeded" ? successText(run, tools) : failureText(run, tools, errors),
      lessonCharactersMax,
    ),
    tool_names: tools,
    created_at: new Date(now).toISOString(),
    session_id: sessionId,
    relevance_count: 0,
  };
}

function outcomeOf({ reason, steps, isEmpty }: EndedRun): LessonOutcome | undefined {
  if (steps === 0) return undefined;
  if (reason !== "completed") return "failed";
  return isEmpty ? undefined : "succeeded";
}

function successText({ steps }: EndedRun, tools: readonly string[]): string {
  return `Succeeded in ${counted(steps, "step")} ${withTools(tools)}.`;
}

function failureText({ failedSteps }: EndedRun, tools: readonly string[], errors: readonly string[]): string {
  if (errors.length > 0) return errors.join("; ");
  return `Failed with ${counted(failedSteps, "failed step")} ${withTools(tools)}.`;
}

function withTools(tools: readonly string[]): string {
  return tools.length === 0 ? "without tools" : `with ${tools.join(", ")}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Never between the two halves of a character. */
function cut(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "");
}
