/** What a tool of others gave back, as one shape: a text, or an object with a text and more. */
import type { JsonObject } from "@kedge/protocol";
import type { Reported } from "./tool-context.ts";
import { isFields } from "./tool-schema.ts";

export type ToolResult = {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
  readonly isError?: boolean;
  readonly media?: readonly JsonObject[];
};

export function readToolResult(given: unknown, reported: Reported): ToolResult {
  const about = {
    ...(reported.title !== undefined && { title: reported.title }),
    ...(reported.metadata !== undefined && { metadata: reported.metadata }),
  };
  if (!isFields(given)) return { output: asText(given), ...about };
  const { output, content, title, metadata, details, isError, is_error: isAlsoError } = given;
  const parts = Array.isArray(content) ? content.filter(isFields) : [];
  const texts = parts.flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  const media = parts.flatMap(({ type, data, mimeType }): readonly JsonObject[] =>
    type === "image" && typeof data === "string" && typeof mimeType === "string"
      ? [{ name: "image", mediaType: mimeType, base64: data }]
      : [],
  );
  const said = output ?? (typeof content === "string" ? content : undefined);
  const isKnownForm = said !== undefined || parts.length > 0;
  const told = metadata ?? details;
  return {
    output: isKnownForm ? asText(said ?? texts.join("\n")) : asText(given),
    ...about,
    ...(typeof title === "string" && { title }),
    // Whatever cannot be written as JSON is found when the answer is sent.
    ...(isFields(told) && { metadata: told as JsonObject }),
    ...((isError === true || isAlsoError === true) && { isError: true }),
    ...(media.length > 0 && { media }),
  };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : (JSON.stringify(value, undefined, 2) ?? String(value));
}
