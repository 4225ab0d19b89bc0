/** Reads one JSON object of a generateContent answer, streamed or whole, into the few things kedge uses of it. */
import { isJsonObject, type Usage } from "@kedge/protocol";
import { argumentsText, countOf, type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";
import { placeholderName } from "./google-schema.ts";

/** What the vendor wants back with the part in the next request; empty when it signed nothing. */
type Signed = { readonly signature: string };

export type GooglePart =
  | (Signed & { readonly kind: "text"; readonly text: string })
  | (Signed & { readonly kind: "reasoning"; readonly text: string })
  | (Signed & {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      /** Empty when none came: so does a call that takes none, and one that was cut off before them. */
      readonly inputText: string;
      /** The vendor says that more of it follows, or sent something else in its place. */
      readonly cutOff: boolean;
    });

export type GoogleFrame = {
  readonly responseId: string;
  readonly parts: readonly GooglePart[];
  readonly finishReason: string | undefined;
  /** Why the prompt was not answered at all. */
  readonly blockReason: string | undefined;
  readonly usage: Usage | undefined;
  /** Whatever stood in the member `error`. */
  readonly error: unknown;
};

/** Undefined when the text is no JSON object. */
export function parseGoogleFrame(text: string): GoogleFrame | undefined {
  const value = parseJsonObject(text);
  return value === undefined ? undefined : readFrame(value);
}

function readFrame(value: JsonMembers): GoogleFrame {
  const candidates = value["candidates"];
  const candidate = membersOf(Array.isArray(candidates) ? candidates.find(isFirstCandidate) : undefined);
  const parts = membersOf(candidate["content"])["parts"];
  const usage = value["usageMetadata"];
  return {
    responseId: stringOf(value["responseId"]),
    parts: Array.isArray(parts) ? parts.flatMap(readPart) : [],
    finishReason: stringOf(candidate["finishReason"]) || undefined,
    blockReason: stringOf(membersOf(value["promptFeedback"])["blockReason"]) || undefined,
    usage: isJsonObject(usage) ? readUsage(usage) : undefined,
    error: value["error"] ?? undefined,
  };
}

function isFirstCandidate(candidate: unknown): boolean {
  return isJsonObject(candidate) && (candidate["index"] === undefined || candidate["index"] === 0);
}

/** Parts of other kinds, such as images, are of no use here. A part without text may still carry a signature. */
function readPart(value: unknown): readonly GooglePart[] {
  const part = membersOf(value);
  const signature = stringOf(part["thoughtSignature"]);
  const call = part["functionCall"];
  if (isJsonObject(call)) {
    const args = call["args"] ?? undefined;
    const inputText = isJsonObject(args) ? inputTextOf(args) : "";
    const cutOff = call["willContinue"] === true || (args !== undefined && !isJsonObject(args));
    return [{ kind: "call", id: stringOf(call["id"]), name: stringOf(call["name"]), inputText, cutOff, signature }];
  }
  const text = stringOf(part["text"]);
  if (text === "" && signature === "") return [];
  return [{ kind: part["thought"] === true ? "reasoning" : "text", text, signature }];
}

/** Without what models write into the properties that stand in for none. */
function inputTextOf(args: JsonMembers): string {
  const text = argumentsText(args);
  if (!text.includes(placeholderName)) return text;
  return argumentsText(JSON.parse(text, (name, member: unknown) => (name === placeholderName ? undefined : member)));
}

/** The wire counts cached tokens within the prompt and thoughts beside the output; kedge counts every token once. */
function readUsage(value: JsonMembers): Usage {
  const cacheRead = countOf(value["cachedContentTokenCount"]);
  const reasoning = countOf(value["thoughtsTokenCount"]);
  return {
    input: Math.max(0, countOf(value["promptTokenCount"]) - cacheRead),
    output: countOf(value["candidatesTokenCount"]) + reasoning,
    reasoning,
    cacheRead,
    cacheWrite: 0,
  };
}

function membersOf(value: unknown): JsonMembers {
  return isJsonObject(value) ? value : {};
}
