/** Reads the frames of one answer, streamed or whole, and keeps the first thing that was wrong with them. */
import type { Buffer } from "node:buffer";
import type { DeltaLearner } from "./delta-learner.ts";
import { createEventSplitter, eventData } from "./server-sent-events.ts";
import type { AnswerProblem, WireAnswer } from "./wire-answer.ts";

export type FrameReaderParts<Frame> = {
  /** Takes events that need no parsing, and forgets how once something is wrong. */
  readonly deltas: Pick<DeltaLearner, "take" | "forget">;
  /** True for events that say nothing, also because the answer is over. */
  readonly ignores: (event: Buffer) => boolean;
  /** Undefined when the data is no frame. */
  readonly parse: (data: string) => Frame | undefined;
  /** With the event in which the frame was streamed, if it was closed. */
  readonly read: (frame: Frame, event?: Buffer) => void;
};

export type FrameReader = Pick<WireAnswer, "push" | "pushWhole" | "pushEnd" | "problem"> & {
  readonly fail: (problem: AnswerProblem) => void;
};

export function createFrameReader<Frame>(parts: FrameReaderParts<Frame>): FrameReader {
  let problem: AnswerProblem | undefined;

  function fail(found: AnswerProblem): void {
    problem ??= found;
    parts.deltas.forget();
  }

  function dataOf(event: Buffer, hasReturns?: boolean): string | undefined {
    return problem !== undefined || parts.ignores(event) ? undefined : eventData(event, hasReturns)?.trim();
  }

  const splitter = createEventSplitter({
    take: parts.deltas.take,
    event(event, hasReturns) {
      const data = dataOf(event, hasReturns);
      if (data === undefined || data === "") return;
      const frame = parts.parse(data);
      if (frame === undefined) fail({ kind: "malformed", what: "an event that is not a JSON object" });
      else parts.read(frame, event);
    },
    tooLarge: () => fail({ kind: "malformed", what: "an event that does not end" }),
  });

  return {
    push: splitter.push,
    pushWhole(text) {
      const frame = parts.parse(text);
      if (frame === undefined) fail({ kind: "malformed", what: "a body that is not a JSON object" });
      else parts.read(frame);
    },
    pushEnd() {
      const data = dataOf(splitter.rest());
      // An event cut off in the middle is no JSON; that the stream broke is reported by whoever saw it end.
      const frame = data === undefined ? undefined : parts.parse(data);
      if (frame !== undefined) parts.read(frame);
    },
    problem: () => problem,
    fail,
  };
}
