/** A lesson: what one run of an agent came to, in a line of JSON. Whatever is read from a file is checked here. */
import { isJsonObject } from "@kedge/protocol";

export type LessonOutcome = "succeeded" | "failed";

export type Lesson = {
  readonly lesson_id: string;
  readonly task_summary: string;
  readonly outcome: LessonOutcome;
  readonly lesson: string;
  readonly tool_names: readonly string[];
  readonly created_at: string;
  readonly last_retrieved_at?: string;
  readonly session_id: string;
  readonly relevance_count: number;
};

export const summaryCharactersMax = 200;
export const lessonCharactersMax = 500;
const nameCharactersMax = 200;
const toolsMax = 64;

/** Undefined for a line that is not a lesson, whatever it is. */
export function readLesson(line: string): Lesson | undefined {
  const value = parsed(line);
  if (!isJsonObject(value)) return undefined;
  const { lesson_id, task_summary, outcome, lesson, tool_names, created_at, last_retrieved_at, session_id } = value;
  const { relevance_count } = value;
  if (!isText(lesson_id, nameCharactersMax) || lesson_id === "" || !isText(session_id, nameCharactersMax)) return;
  if (!isText(task_summary, summaryCharactersMax) || !isText(lesson, lessonCharactersMax)) return undefined;
  if (outcome !== "succeeded" && outcome !== "failed") return undefined;
  if (!isTime(created_at) || (last_retrieved_at !== undefined && !isTime(last_retrieved_at))) return undefined;
  if (typeof relevance_count !== "number" || !Number.isSafeInteger(relevance_count) || relevance_count < 0) return;
  if (!Array.isArray(tool_names) || tool_names.length > toolsMax) return undefined;
  const tools = tool_names.filter((name) => isText(name, nameCharactersMax));
  if (tools.length !== tool_names.length) return undefined;
  const kept: Lesson = {
    lesson_id,
    task_summary,
    outcome,
    lesson,
    tool_names: tools,
    created_at,
    session_id,
    relevance_count,
  };
  return last_retrieved_at === undefined ? kept : { ...kept, last_retrieved_at };
}

function isText(value: unknown, charactersMax: number): value is string {
  return typeof value === "string" && value.length <= charactersMax;
}

function isTime(value: unknown): value is string {
  return isText(value, 40) && !Number.isNaN(Date.parse(value));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    // Another program or a crash may have left anything there.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
