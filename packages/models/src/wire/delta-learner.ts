/** Learns what the deltas of one stream look like, and from then on reads them without parsing their JSON. */
import type { Buffer } from "node:buffer";
import type { DeltaPattern, DeltaQueue, DeltaTarget } from "./delta-queue.ts";
import { learnTemplate, matchesAt } from "./delta-template.ts";
import { eventData } from "./server-sent-events.ts";

/** What a parsed event added, when it added one string and nothing else. */
export type LearnableDelta = {
  readonly text: string;
  readonly target: DeltaTarget;
  /** The frame that a like event with another text would be parsed into. */
  readonly frameWith: (text: string) => unknown;
};

export type DeltaLearner = {
  /** Queues the delta of the event at `from` and returns where the event ends; -1 when it must be parsed. */
  readonly take: (bytes: Buffer, from: number) => number;
  /** Something other than such deltas begins. */
  readonly forget: () => void;
  /** `describe` is asked only when learning may pay. */
  readonly learn: (event: Buffer, describe: () => LearnableDelta | undefined) => void;
};

/** Learning costs as much as parsing four events, so a stream must first show that it has many of a kind. */
const deltasBeforeLearning = 3;

/** After so many templates in a row that no event repeated, this vendor's events are all parsed. */
const vainTemplatesMax = 16;

export function createDeltaLearner(queue: DeltaQueue, parse: (data: string) => unknown): DeltaLearner {
  let pattern: DeltaPattern | undefined;
  let vainTemplates = 0;
  let parsedDeltas = 0;
  return {
    take(bytes, from) {
      if (pattern === undefined) return -1;
      const end = queue.addBytes(pattern, bytes, from);
      if (end !== -1) vainTemplates = 0;
      return end;
    },
    forget() {
      pattern = undefined;
    },
    learn(event, describe) {
      if (vainTemplates >= vainTemplatesMax) return;
      if (pattern !== undefined && matchesAt(event, 0, pattern.template.prefix)) return;
      const delta = describe();
      if (delta === undefined || ++parsedDeltas < deltasBeforeLearning) return;
      vainTemplates++;
      const template = learnTemplate(event, delta.text, (probe, text) => {
        const probed = parse(eventData(probe) ?? "");
        return JSON.stringify(probed) === JSON.stringify(delta.frameWith(text));
      });
      pattern = template === undefined ? undefined : { template, target: delta.target };
    },
  };
}
