/** The definition of a tool as it may be shown to a model: bounded, without hidden characters, known by a digest. */
import { createHash } from "node:crypto";
import { hiddenCharacter, isJsonObject, type JsonSchema } from "@kedge/protocol";
import type { Tool } from "@modelcontextprotocol/client";
import { descriptionCharactersMax } from "../connection/limits.ts";

export type CleanDefinition = {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Of everything that the model is told. Another digest is another tool to whoever approved it. */
  readonly digest: string;
};

const schemaCharactersMax = 64_000;
const digestCharacters = 12;

/** The text says why the tool cannot be offered. */
export function cleanDefinition(
  { description = "", inputSchema, title, annotations }: Tool,
  neutralise: (text: string) => string,
): CleanDefinition | string {
  if (isDeep(inputSchema) || isDeep(annotations)) return "its definition is nested too deeply";
  const digest = createHash("sha256").update(JSON.stringify([description, inputSchema, annotations ?? null]));
  const schema = cleanValue(inputSchema, neutralise);
  if (!isJsonObject(schema) || schema["type"] !== "object") return "its input is not an object";
  if (JSON.stringify(schema).length > schemaCharactersMax) return "its input schema is too long";
  const whole = cleanText(description === "" ? (title ?? "") : description, neutralise);
  const isCut = whole.length > descriptionCharactersMax;
  return {
    description: isCut ? `${whole.slice(0, descriptionCharactersMax - 1).toWellFormed()}…` : whole,
    // Checked above to be an object schema; what else is in it is told to models and never relied on.
    inputSchema: schema as JsonSchema,
    digest: digest.digest("hex").slice(0, digestCharacters),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controlCharacters = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

export function cleanText(text: string, neutralise: (text: string) => string): string {
  return neutralise(text.replaceAll(controlCharacters, "").replace(hiddenCharacter, "")).trim();
}

const depthMax = 40;
/** Deeper values cannot be written as JSON at all. */
const writtenDepthMax = 400;

/** Without recursion, which a deep enough value would end. */
function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > writtenDepthMax) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

function cleanValue(value: unknown, neutralise: (text: string) => string, depth = 0): unknown {
  if (depth > depthMax) return undefined;
  if (typeof value === "string") return cleanText(value, neutralise);
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, neutralise, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, cleanValue(each, neutralise, depth + 1)]);
  return Object.fromEntries(entries);
}
