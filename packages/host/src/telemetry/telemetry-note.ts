/** What telemetry writes down of a fact: starts and ends of spans, and amounts. Plain data with no text of anybody. */
import type { CounterName, HistogramName } from "./instruments.ts";

/** Words of kedge, names of models and tools, ids and numbers; never what a user, a model or a tool wrote. */
export type NoteAttributes = { readonly [name: string]: string | number | readonly string[] };

export type TelemetryNote =
  | {
      readonly kind: "span.started";
      readonly key: string;
      /** Absent for the first span of a trace. */
      readonly parentKey?: string;
      readonly name: string;
      /** `client`: another process does the work. */
      readonly spanKind: "client" | "internal";
      /** Milliseconds since the epoch. */
      readonly time: number;
      readonly attributes: NoteAttributes;
    }
  | {
      readonly kind: "span.ended";
      readonly key: string;
      readonly time: number;
      readonly attributes: NoteAttributes;
      readonly isError: boolean;
    }
  | {
      readonly kind: "counted";
      readonly counter: CounterName;
      readonly value: number;
      readonly attributes: NoteAttributes;
    }
  | {
      readonly kind: "measured";
      readonly histogram: HistogramName;
      readonly value: number;
      readonly attributes: NoteAttributes;
    };
