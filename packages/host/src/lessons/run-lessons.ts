/** Lessons of this project's runs: each run that ends becomes one line of a file, which later runs are shown as data. */
import type { EngineShared } from "@kedge/engine";
import {
  createLessonSource,
  type Lesson,
  type LessonStore,
  makeLesson,
  notesOfRun,
  openLessonStore,
} from "@kedge/memory/lessons";
import type { ContextSource } from "@kedge/protocol";

export type RunLessons = {
  /** One per session. */
  readonly newSource: () => ContextSource;
  /** Once per run, before its end is recorded. */
  readonly learn: NonNullable<EngineShared["learn"]>;
};

export type RunLessonsParts = {
  readonly path: string;
  readonly now: () => number;
  readonly newId: (prefix: "msg_") => string;
  readonly redact: (text: string) => string;
  /** Also of runs that only answered: a headless one would make a file and load the forms of secrets for it. */
  readonly ofAnswers: boolean;
};

/** Other processes hold the lock for less than a millisecond each. */
const attemptsMax = 20;
const attemptMs = 5;

export function createRunLessons({ path, now, newId, redact, ofAnswers }: RunLessonsParts): RunLessons {
  const lessons = openLessonStore({ path, now });

  return {
    newSource: () => createLessonSource(lessons),
    async learn(state, ended) {
      const run = notesOfRun(state, ended);
      const isAnswer = run.reason === "completed" && run.toolNames.length === 0;
      if (isAnswer && !ofAnswers) return undefined;
      const id = newId("msg_").replace(/^msg_/, "les_");
      const { sessionId } = state;
      const lesson = makeLesson(run, { id, sessionId, now: now(), redact });
      if (lesson === undefined) return undefined;
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const added = addTo(lessons, lesson);
        if (added === "failed") return undefined;
        if (added === "added") {
          return { type: "memory.lesson_extracted", id, outcome: lesson.outcome, lesson: lesson.lesson };
        }
        await new Promise((resolve) => setTimeout(resolve, attemptMs));
      }
      return undefined;
    },
  };
}

/** A disk that refuses it is no news: a lost lesson is no loss, and the run has told of its own trouble. */
function addTo(lessons: LessonStore, lesson: Lesson): "added" | "busy" | "failed" {
  try {
    return lessons.add(lesson);
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return "failed";
    throw error;
  }
}
