/** Learns what the deltas of one Responses stream look like, and from then on reads them without parsing their JSON. */
import { Buffer } from "node:buffer";
import type { DeltaLearner } from "../wire/delta-learner.ts";
import type { DeltaPattern, DeltaQueue, DeltaTarget } from "../wire/delta-queue.ts";
import { eventData } from "../wire/server-sent-events.ts";
import {
  deltaStart,
  eventEnd,
  learnResponsesTemplate,
  type ResponsesDeltaTemplate,
} from "./responses-delta-template.ts";
import { parseResponsesEvent, type ResponsesDelta } from "./responses-event.ts";

export type ResponsesDeltaLearner = Pick<DeltaLearner, "take" | "forget"> & {
  readonly learn: (delta: ResponsesDelta, event: Buffer, target: DeltaTarget | undefined) => void;
};

/** Learning costs as much as parsing several events, so a stream must first show that it has many of a kind. */
const deltasBeforeLearning = 3;

/** After so many templates in a row that no event repeated, this vendor's events are all parsed. */
const vainTemplatesMax = 16;

/** The delta itself, once its place is known. */
const bareDelta: DeltaPattern["template"] = { prefix: Buffer.alloc(0), suffix: Buffer.from('"') };

type LearntPattern = { readonly event: ResponsesDeltaTemplate; readonly delta: DeltaPattern };

export function createResponsesDeltaLearner(queue: DeltaQueue): ResponsesDeltaLearner {
  let pattern: LearntPattern | undefined;
  let vainTemplates = 0;
  let parsedDeltas = 0;
  return {
    take(bytes, from) {
      if (pattern === undefined) return -1;
      const start = deltaStart(pattern.event, bytes, from);
      const end = start === -1 ? -1 : eventEnd(pattern.event, bytes, start);
      if (end === -1 || queue.addBytes(pattern.delta, bytes, start) === -1) return -1;
      vainTemplates = 0;
      return end;
    },
    forget() {
      pattern = undefined;
    },
    learn(delta, event, target) {
      if (vainTemplates >= vainTemplatesMax || delta.text === "" || delta.of === "refusal") return;
      if (pattern !== undefined && deltaStart(pattern.event, event, 0) !== -1) return;
      if (target === undefined || ++parsedDeltas < deltasBeforeLearning) return;
      vainTemplates++;
      const template = learnResponsesTemplate(event, (probe, text) => {
        const probed = parseResponsesEvent(eventData(probe) ?? "");
        return JSON.stringify(probed) === JSON.stringify({ ...delta, text });
      });
      pattern = template === undefined ? undefined : { event: template, delta: { template: bareDelta, target } };
    },
  };
}
