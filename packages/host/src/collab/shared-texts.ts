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
const heldCharactersMax = 16 * 1024;

export function createSharedTexts({ redact, hidesPermissions, needsWholeLines }: SharedTextParts): SharedTexts {
  /** The end of each stream that may be the beginning of a secret; undefined where it became too long to look at. */
  const held = new Map<string, string | undefined>();
  const boundary = needsWholeLines ? /\n/ : /\s/;

  /** Behind the last boundary; looked for from the end, because every piece of a long line asks again. */
  function lastBoundary(text: string): number {
    let end = text.length;
    while (end > 0 && !boundary.test(text.charAt(end - 1))) end -= 1;
    return end;
  }

  function hold(stream: string, text: string): string {
    if (!held.has(stream)) dropOldest();
    else if (held.get(stream) === undefined) return "";
    const whole = (held.get(stream) ?? "") + text;
    const cut = Math.min(lastBoundary(whole), beginOfOpenBlock(whole));
    // Guests see the rest with the fact that ends it.
    held.set(stream, whole.length - cut > heldCharactersMax ? undefined : whole.slice(cut));
    return whole.slice(0, cut);
  }

  function dropOldest(): void {
    const [oldest] = held.keys();
    if (held.size >= streamsMax && oldest !== undefined) held.delete(oldest);
  }

  /** Only the streams of what ended: a secret of another one may be half sent. */
  function forget(id: string): void {
    for (const stream of held.keys()) if (stream.endsWith(` ${id}`)) held.delete(stream);
  }

  return {
    record(record) {
      const { fact: told } = record;
      if (told.type === "step.ended") forget(told.stepId);
      if (told.type === "tool.ended") forget(told.callId);
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

/** A private key has many lines, none of which looks like a secret by itself; the end of the text without one. */
function beginOfOpenBlock(text: string): number {
  const closed = [...text.matchAll(/-----END[^-]*-----/g)].at(-1);
  const begin = text.indexOf("-----BEGIN", closed === undefined ? 0 : closed.index + closed[0].length);
  return begin === -1 ? text.length : begin;
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
