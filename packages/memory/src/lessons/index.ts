/** Lessons of runs: made without a model, kept in one small file, shown to later runs as data. */
export { createLessonSource } from "./lesson-source.ts";
export { openLessonStore } from "./lesson-store.ts";
export { makeLesson } from "./make-lesson.ts";
export { type PlanAdditions, readPlanAdditions } from "./plan-additions.ts";
export { notesOfRun } from "./run-notes.ts";
