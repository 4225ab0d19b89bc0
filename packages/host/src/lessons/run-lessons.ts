/** Lessons of this project's runs: what was appended to the store is noted, and the end of a run becomes one line. */
import type { EngineShared } from "@kedge/engine";
import { createLessonSource, createRunWatch, makeLesson, openLessonStore } from "@kedge/memory/lessons";
import type { ContextSource, Store } from "@kedge/protocol";

export type RunLessons = {
  /** The same store; what is appended through it is noted. */
  readonly store: Store;
  /** One per session. */
  readonly newSource: () => ContextSource;
  /** Once per run, before its end is recorded. */
  readonly learn: NonNullable<EngineShared["learn"]>;
};

export type RunLessonsParts = {
  readonly store: Store;
  readonly path: string;
  readonly now: () => number;
  readonly newId: (prefix: "msg_") => string;
  readonly redact: (text: string) => string;
};

/** Other processes hold the lock for less than a millisecond each. */
const attemptsMax = 20;
const attemptMs = 5;

export function createRunLessons({ store, path, now, newId, redact }: RunLessonsParts): RunLessons {
  const lessons = openLessonStore({ path, now });
  const watch = createRunWatch();

  return {
    store: {
      ...store,
      async append(sessionId, facts, options) {
        const outcome = await store.append(sessionId, facts, options);
        if (outcome.ok) watch.note(sessionId, facts);
        return outcome;
      },
    },
    newSource: () => createLessonSource(lessons),
    async learn(sessionId, ended) {
      const run = watch.end(sessionId, ended);
      if (run === undefined) return undefined;
      const id = newId("msg_").replace(/^msg_/, "les_");
      const lesson = makeLesson(run, { id, sessionId, now: now(), redact });
      if (lesson === undefined) return undefined;
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        if (lessons.add(lesson) === "added") {
          return { type: "memory.lesson_extracted", id, outcome: lesson.outcome, lesson: lesson.lesson };
        }
        await new Promise((resolve) => setTimeout(resolve, attemptMs));
      }
      return undefined;
    },
  };
}
