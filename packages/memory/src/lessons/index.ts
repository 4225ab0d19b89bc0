/** Lessons of runs: made without a model, kept in one small file, shown to later runs as data. */

export type { Lesson } from "./lesson.ts";
export { createLessonSource } from "./lesson-source.ts";
export { type LessonStore, openLessonStore } from "./lesson-store.ts";
export { makeLesson } from "./make-lesson.ts";
export { readPlanAdditions } from "./plan-additions.ts";
export { notesOfRun } from "./run-notes.ts";
