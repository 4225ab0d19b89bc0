/** Finds lessons for a prompt: how many of its words a lesson has, and whether it used the tools that are planned. */
import type { Lesson } from "./lesson.ts";

const charactersMax = 2_000;
const wordsMax = 50;
const shortWord = 3;
const toolWeight = 2;
const lessonsMax = 5;

/** Copies, the best first; of equal ones the newer, then by id. */
export function searchLessons(
  lessons: readonly Lesson[],
  prompt: string,
  toolNames: readonly string[] = [],
): readonly Lesson[] {
  const words = prompt
    .toLowerCase()
    .slice(0, charactersMax)
    .split(/\s+/)
    .filter((word) => word.length > shortWord)
    .slice(0, wordsMax);
  return lessons
    .map((lesson) => ({ lesson, score: scoreOf(lesson, words, toolNames) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || byNewest(left.lesson, right.lesson))
    .slice(0, lessonsMax)
    .map(({ lesson }) => ({ ...lesson, tool_names: [...lesson.tool_names] }));
}

function scoreOf(lesson: Lesson, words: readonly string[], toolNames: readonly string[]): number {
  const text = `${lesson.task_summary} ${lesson.lesson}`.toLowerCase();
  const tools = toolNames.filter((name) => lesson.tool_names.includes(name)).length;
  return words.filter((word) => text.includes(word)).length + toolWeight * tools;
}

function byNewest(left: Lesson, right: Lesson): number {
  const [later, earlier] = [Date.parse(right.created_at), Date.parse(left.created_at)];
  return later - earlier || (left.lesson_id < right.lesson_id ? -1 : 1);
}
