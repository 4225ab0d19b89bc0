/** Questions of a server to the person in front of the screen: the fields of a form. */
import { type Dialogue, isJsonObject, type Question, stripTerminalControls } from "@kedge/protocol";
import type { ElicitAnswer } from "../connection/connect-parts.ts";
import {
  answeredValue,
  type Choice,
  choicesOf,
  type FieldValue,
  type FormField,
  suggestedValue,
} from "./form-field.ts";

export type Asking = Pick<Dialogue, "ask">;

const textCharactersMax = 1_000;
export const fieldsMax = 20;
const optionsMax = 20;
const attemptsMax = 3;
export const decline = "Decline";
const skip = "Skip";

export type Form = { readonly server: string; readonly message: string; readonly requestedSchema: unknown };

/** Entries of the fields that a form has. */
export function fieldsOf(requestedSchema: unknown): readonly (readonly [string, unknown])[] {
  const properties = isJsonObject(requestedSchema) ? requestedSchema["properties"] : undefined;
  return isJsonObject(properties) ? Object.entries(properties) : [];
}

/** One question per field; what cannot be asked, or is no fitting value after some attempts, declines the whole form. */
export async function askForm(
  { server, message, requestedSchema }: Form,
  dialogue: Asking,
  withdrawn?: AbortSignal,
): Promise<ElicitAnswer> {
  const fields = fieldsOf(requestedSchema);
  if (fields.length > fieldsMax) return { action: "decline" };
  const required = isJsonObject(requestedSchema) ? requestedSchema["required"] : undefined;
  const intro = `${shown(server)} asks: ${shown(message)}`;
  const ask = async (question: Question) => (await dialogue.ask([question], withdrawn))?.[0];
  if (fields.length === 0) return askConsent(intro, ask);
  const content: [string, FieldValue][] = [];
  for (const [name, given] of fields) {
    const field = isJsonObject(given) ? given : {};
    const isRequired = Array.isArray(required) && required.includes(name);
    const answer = await askField(intro, { name, field, isRequired }, ask);
    if (answer.kind === "skipped") continue;
    if (answer.kind !== "value") return { action: answer.kind };
    content.push([name, answer.value]);
  }
  return { action: "accept", content: Object.fromEntries(content) };
}

type Ask = (question: Question) => Promise<string | undefined>;

async function askConsent(intro: string, ask: Ask): Promise<ElicitAnswer> {
  const options = [
    { label: "Accept", description: "Answer yes" },
    { label: decline, description: "Answer no" },
  ];
  const answer = await ask({ question: intro, options });
  if (answer === undefined) return { action: "cancel" };
  return answer === "Accept" ? { action: "accept", content: {} } : { action: "decline" };
}

type NamedField = { readonly name: string; readonly field: FormField; readonly isRequired: boolean };

type AskedField =
  | { readonly kind: "value"; readonly value: FieldValue }
  | { readonly kind: "skipped" | "decline" | "cancel" };

async function askField(intro: string, named: NamedField, ask: Ask): Promise<AskedField> {
  const { field, isRequired } = named;
  const choices = choicesOf(field, [skip, decline], shown);
  const suggested = suggestedValue(field);
  let why = "";
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const answer = await ask(questionOf(intro, named, { choices, suggested, why }));
    if (answer === undefined) return { kind: "cancel" };
    if (answer === decline) return { kind: "decline" };
    if (answer === skip && (!isRequired || suggested !== undefined))
      return suggested === undefined ? { kind: "skipped" } : { kind: "value", value: suggested };
    const checked = answeredValue(answer, field, choices);
    if (checked.ok) return { kind: "value", value: checked.value };
    ({ why } = checked);
  }
  return { kind: "decline" };
}

type Offered = {
  readonly choices: readonly Choice[];
  readonly suggested: FieldValue | undefined;
  readonly why: string;
};

function questionOf(
  intro: string,
  { name, field, isRequired }: NamedField,
  { choices, suggested, why }: Offered,
): Question {
  const { title, description } = field;
  const label = typeof title === "string" ? title : name;
  const hint = typeof description === "string" ? ` (${description})` : "";
  const more =
    choices.length > optionsMax ? `\nThe first ${optionsMax} of ${choices.length} choices; type any other.` : "";
  const skipped = suggested === undefined ? "Leave it empty" : `Use the suggested value: ${shown(String(suggested))}`;
  return {
    question: `${intro}\n${shown(label + hint)}${more}${why === "" ? "" : `\n${why}`}`,
    options: [
      ...choices.slice(0, optionsMax).map(({ value, label: text }) => ({
        label: text,
        description: text === value ? "" : shown(value),
      })),
      ...(isRequired && suggested === undefined ? [] : [{ label: skip, description: skipped }]),
      { label: decline, description: "Answer nothing" },
    ],
    ...(field["type"] === "array" && { multiSelect: true }),
  };
}

export function shown(text: string): string {
  return stripTerminalControls(text).slice(0, textCharactersMax).toWellFormed();
}
