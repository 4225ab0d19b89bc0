/** What guests are shown of facts and signals: redacted, bounded, and without open questions where the user wants so. */
import { type FactRecord, isDelta, isJsonObject, type Signal } from "@kedge/protocol";
import { redactValue } from "../transcripts/prepare-export.ts";

export type SharedTexts = {
  record(record: FactRecord): FactRecord;
  /** Undefined where nothing of it can be shown yet. */
  signal(signal: Signal): Signal | undefined;
};

export type SharedTextParts = {
  readonly redact: (text: string) => string;
  readonly hidesPermissions: boolean;
  /** A secret of the user's list may contain spaces, so that only whole lines can be looked at. */
  readonly needsWholeLines: boolean;
};

/** Of the JSON of one fact; a frame may have 8 MB. */
const factCharactersMax = 4 * 1024 * 1024;
const longTextMax = 64 * 1024;
const streamsMax = 64;

export function createSharedTexts({ redact, hidesPermissions, needsWholeLines }: SharedTextParts): SharedTexts {
  /** The end of each stream that may be the beginning of a secret. */
  const held = new Map<string, string>();
  const boundary = needsWholeLines ? /\n(?!.*\n)/s : /\s(?!.*\s)/s;

  function hold(stream: string, text: string): string {
    const whole = (held.get(stream) ?? "") + text;
    const end = boundary.exec(whole);
    const cut = end === null ? 0 : end.index + 1;
    if (held.size >= streamsMax) held.clear();
    held.set(stream, whole.slice(cut));
    return whole.slice(0, cut);
  }

  return {
    record(record) {
      const { type } = record.fact;
      if (type === "step.ended" || type === "tool.ended") held.clear();
      const shown = hidesPermissions ? withoutQuestion(record) : record;
      // Redaction puts text in the place of text, and so the fact keeps its shape.
      const fact = redactValue(shown.fact, redact) as FactRecord["fact"];
      return bounded({ ...shown, fact });
    },
    signal(signal) {
      const stream = "callId" in signal ? signal.callId : "stepId" in signal ? signal.stepId : undefined;
      const isPiece = isDelta(signal) && "text" in signal && stream !== undefined;
      if (!isPiece) return redactValue(signal, redact) as Signal;
      const text = hold(`${signal.type} ${stream}`, signal.text);
      return text === "" ? undefined : { ...signal, text: redact(text) };
    },
  };
}

function withoutQuestion(record: FactRecord): FactRecord {
  const { fact } = record;
  if (fact.type !== "permission.asked") return record;
  const { preview: _, evidence: __, saves: ___, ...kept } = fact;
  return { ...record, fact: { ...kept, patterns: [], always: [], reason: "Waiting for the host.", inputText: "{}" } };
}

function bounded(record: FactRecord): FactRecord {
  if (JSON.stringify(record.fact).length <= factCharactersMax) return record;
  return { ...record, fact: shortened(record.fact) as FactRecord["fact"] };
}

function shortened(value: unknown): unknown {
  if (typeof value === "string" && value.length > longTextMax) {
    return `${value.slice(0, longTextMax)}\n[${value.length - longTextMax} more characters are not shared]`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
