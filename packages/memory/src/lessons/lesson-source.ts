/** The source of context that shows a run what past runs came to. The engine fences it as data. */
import type { ContextBlock, ContextSource, SessionState } from "@kedge/protocol";
import type { Lesson } from "./lesson.ts";
import type { LessonStore } from "./lesson-store.ts";

const lessonSourceName = "past runs";

/** Sessions that work for another one share its source. The store is searched once per run; the engine sends each lesson once, and again after a summary. */
export function createLessonSource(store: Pick<LessonStore, "retrieve">): ContextSource {
  const latest = new Map<string, { readonly runId: string | undefined; readonly blocks: readonly ContextBlock[] }>();
  return {
    name: lessonSourceName,
    kind: "data",
    place: "turn",
    tokensMax: 2_000,
    read({ state, shown }) {
      const { sessionId, runId } = state;
      const before = latest.get(sessionId);
      if (before !== undefined && before.runId === runId) return before.blocks;
      const isKnown = (id: string) => shown(originOf(id)) !== undefined;
      const blocks = store.retrieve(sessionId, promptOf(state), isKnown).map(blockOf);
      latest.set(sessionId, { runId, blocks });
      return blocks;
    },
  };
}

/** What the run begins with still waits in the queue. */
function promptOf({ queue }: Readonly<SessionState>): string {
  return queue.map(({ text }) => text).join("\n");
}

function blockOf({ lesson_id, outcome, task_summary, lesson }: Lesson): ContextBlock {
  const text = `outcome: ${outcome}\ntask: ${task_summary}\nlesson: ${lesson}`;
  return { origin: originOf(lesson_id), hash: lesson_id, text };
}

function originOf(lessonId: string): string {
  return `lesson ${lessonId}`;
}
