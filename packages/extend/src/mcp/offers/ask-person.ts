/** Questions of a server to the person in front of the screen: the fields of a form. */
import { type Dialogue, isJsonObject, type Question, stripTerminalControls } from "@kedge/protocol";
import type { ElicitAnswer } from "../connection/connect-parts.ts";

export type Asking = Pick<Dialogue, "ask">;

const textCharactersMax = 1_000;
const fieldsMax = 20;
const optionsMax = 20;
export const decline = "Decline";

/** One question per field; what cannot be asked or is not a fitting value declines the whole form. */
export async function askForm(
  {
    server,
    message,
    requestedSchema,
  }: { readonly server: string; readonly message: string; readonly requestedSchema: unknown },
  dialogue: Asking,
): Promise<ElicitAnswer> {
  const schema = isJsonObject(requestedSchema) ? requestedSchema : {};
  const fields = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (fields.length > fieldsMax) return { action: "decline" };
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const intro = `${shown(server)} asks: ${shown(message)}`;
  if (fields.length === 0) {
    const options = [
      { label: "Accept", description: "Answer yes" },
      { label: decline, description: "Answer no" },
    ];
    const answers = await dialogue.ask([{ question: intro, options }]);
    if (answers === undefined) return { action: "cancel" };
    return answers[0] === "Accept" ? { action: "accept", content: {} } : { action: "decline" };
  }
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const [name, given] of fields) {
    const field = isJsonObject(given) ? given : {};
    const isRequired = required.includes(name);
    const answers = await dialogue.ask([questionOf(intro, { name, field, isRequired })]);
    const answer = answers?.[0];
    if (answer === undefined) return { action: "cancel" };
    if (answer === decline) return { action: "decline" };
    if (answer === skip && !isRequired) continue;
    const value = answeredValue(answer, field);
    if (value === undefined) return { action: "decline" };
    content[name] = value;
  }
  return { action: "accept", content };
}

const skip = "Skip";

type Field = { readonly [key: string]: unknown };
type NamedField = { readonly name: string; readonly field: Field; readonly isRequired: boolean };

function questionOf(intro: string, { name, field, isRequired }: NamedField): Question {
  const { title, description } = field;
  const label = typeof title === "string" ? title : name;
  const hint = typeof description === "string" ? ` (${description})` : "";
  const choices = choicesOf(field).slice(0, optionsMax);
  return {
    question: `${intro}\n${shown(label + hint)}`,
    options: [
      ...choices.map(({ value, label: text }) => ({
        label: shown(text),
        description: text === value ? "" : shown(value),
      })),
      ...(isRequired ? [] : [{ label: skip, description: "Leave it empty" }]),
      { label: decline, description: "Answer nothing" },
    ],
    ...(field["type"] === "array" && { multiSelect: true }),
  };
}

type Choice = { readonly value: string; readonly label: string };

function choicesOf(field: Field): readonly Choice[] {
  if (field["type"] === "boolean") return ["true", "false"].map((value) => ({ value, label: value }));
  const items = isJsonObject(field["items"]) ? field["items"] : field;
  const titled = items["oneOf"] ?? items["anyOf"];
  if (Array.isArray(titled))
    return titled.flatMap((each) =>
      isJsonObject(each) && typeof each["const"] === "string"
        ? { value: each["const"], label: typeof each["title"] === "string" ? each["title"] : each["const"] }
        : [],
    );
  const { enum: values, enumNames: names } = items;
  if (!Array.isArray(values)) return [];
  return values.map((value, at) => {
    const label = Array.isArray(names) && typeof names[at] === "string" ? names[at] : String(value);
    return { value: String(value), label };
  });
}

function answeredValue(answer: string, field: Field): string | number | boolean | string[] | undefined {
  const choices = choicesOf(field);
  const chosen = (text: string) => choices.find(({ value, label }) => shown(label) === text || value === text)?.value;
  switch (field["type"]) {
    case "boolean":
      return answer === "true" ? true : answer === "false" ? false : undefined;
    case "number":
    case "integer": {
      const number = Number(answer);
      const fits = field["type"] === "integer" ? Number.isInteger(number) : Number.isFinite(number);
      return answer.trim() !== "" && fits ? number : undefined;
    }
    case "array": {
      const values = answer.split(", ").map(chosen);
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    default:
      return choices.length === 0 ? answer : chosen(answer);
  }
}

export function shown(text: string): string {
  return stripTerminalControls(text).slice(0, textCharactersMax);
}
