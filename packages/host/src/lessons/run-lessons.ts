/** Lessons of this project's runs: what was appended to the store is noted, and the end of a run becomes one line. */
import { createLessonSource, createRunWatch, makeLesson, openLessonStore } from "@kedge/memory/lessons";
import type { ContextSource, FactOf, Store } from "@kedge/protocol";

type EndedRun = NonNullable<ReturnType<ReturnType<typeof createRunWatch>["note"]>>;

export type RunLessons = {
  /** The same store; what is appended through it is noted. */
  readonly store: Store;
  /** One per session. */
  readonly newSource: () => ContextSource;
  /** Once per run, after its end. */
  learn(sessionId: string): Promise<FactOf<"memory.lesson_extracted"> | undefined>;
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
  const ended = new Map<string, EndedRun>();

  return {
    store: {
      ...store,
      async append(sessionId, facts, options) {
        const outcome = await store.append(sessionId, facts, options);
        const run = outcome.ok ? watch.note(sessionId, facts) : undefined;
        if (run !== undefined) ended.set(sessionId, run);
        return outcome;
      },
    },
    newSource: () => createLessonSource(lessons),
    async learn(sessionId) {
      const run = ended.get(sessionId);
      ended.delete(sessionId);
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
