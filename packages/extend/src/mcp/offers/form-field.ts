/** One field of a form that a server asks to be filled in: its choices, and whether an answer is a value of it. */
import { isJsonObject } from "@kedge/protocol";

export type FieldValue = string | number | boolean | string[];

export type FormField = { readonly [key: string]: unknown };

export type Choice = { readonly value: string; readonly label: string };

export type FieldAnswer =
  | { readonly ok: true; readonly value: FieldValue }
  /** What is wrong, as a sentence. */
  | { readonly ok: false; readonly why: string };

/** Labels are each their own, and none is a word of `taken`. */
export function choicesOf(field: FormField, taken: readonly string[], shown: (text: string) => string) {
  const used = new Set(taken);
  return plainChoices(field).map(({ value, label }): Choice => {
    const plain = shown(label);
    let own = plain;
    for (let number = 2; used.has(own); number += 1) own = `${plain} (${number})`;
    used.add(own);
    return { value, label: own };
  });
}

function plainChoices(field: FormField): readonly Choice[] {
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

/** The value that an answer in words stands for. */
export function answeredValue(answer: string, field: FormField, choices: readonly Choice[]): FieldAnswer {
  const chosen = (text: string) =>
    (choices.find(({ label }) => label === text) ?? choices.find(({ value }) => value === text))?.value;
  switch (field["type"]) {
    case "boolean":
      return answer === "true" || answer === "false"
        ? fitting(answer === "true", field)
        : wrong("Answer true or false.");
    case "number":
    case "integer":
      return answer.trim() === "" ? wrong("Enter a number.") : fitting(Number(answer), field);
    case "array": {
      const labels =
        splitLabels(
          answer,
          choices.map(({ label }) => label),
        ) ?? answer.split(",").map((each) => each.trim());
      const values = labels.filter((each) => each !== "").map((each) => (choices.length === 0 ? each : chosen(each)));
      return values.every((value) => value !== undefined)
        ? fitting(values, field)
        : wrong("Choose among the values that are offered.");
    }
    default: {
      if (choices.length === 0) return fitting(answer, field);
      const value = chosen(answer);
      return value === undefined ? wrong("Choose one of the values that are offered.") : fitting(value, field);
    }
  }
}

/** What the server suggests, where it is a value of the field. */
export function suggestedValue(field: FormField): FieldValue | undefined {
  const { default: given } = field;
  const value = Array.isArray(given) ? given.filter((each) => typeof each === "string") : given;
  const isValue = ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);
  // Of one of these kinds, as was just looked at; whether it fits is looked at now.
  const checked = isValue ? fitting(value as FieldValue, field) : undefined;
  if (checked?.ok !== true) return undefined;
  const allowed = plainChoices(field).map(({ value: each }) => each);
  const isAllowed = allowed.length === 0 || [checked.value].flat().every((each) => allowed.includes(String(each)));
  return isAllowed ? checked.value : undefined;
}

/** Whether a value is of the kind and within the bounds of the field. */
function fitting(value: FieldValue, field: FormField): FieldAnswer {
  const why = Array.isArray(value)
    ? boundsProblem(value.length, { min: field["minItems"], max: field["maxItems"], of: "values" })
    : typeof value === "number"
      ? numberProblem(value, field)
      : typeof value === "string"
        ? textProblem(value, field)
        : undefined;
  const kinds: { readonly [type: string]: string } = { integer: "number", number: "number", boolean: "boolean" };
  const kind = kinds[String(field["type"])] ?? "string";
  const isOfKind =
    Array.isArray(value) === (field["type"] === "array") && (Array.isArray(value) || typeof value === kind);
  return isOfKind && why === undefined ? { ok: true, value } : wrong(why ?? "That is not a value of this field.");
}

function numberProblem(value: number, field: FormField): string | undefined {
  if (!Number.isFinite(value)) return "Enter a number.";
  if (field["type"] === "integer" && !Number.isInteger(value)) return "Enter a whole number.";
  const { minimum, maximum } = field;
  if (typeof minimum === "number" && value < minimum) return `Enter at least ${minimum}.`;
  return typeof maximum === "number" && value > maximum ? `Enter at most ${maximum}.` : undefined;
}

const formats: { readonly [format: string]: { readonly fits: (text: string) => boolean; readonly why: string } } = {
  email: { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), why: "Enter an email address." },
  uri: { fits: (text) => URL.canParse(text), why: "Enter a complete URL." },
  date: { fits: isDate, why: "Enter a date such as 2026-01-31." },
  "date-time": {
    fits: (text) => isDate(text.slice(0, 10)) && text[10] === "T" && !Number.isNaN(Date.parse(text)),
    why: "Enter a time such as 2026-01-31T12:00:00Z.",
  },
};

function textProblem(value: string, field: FormField): string | undefined {
  const bounds = { min: field["minLength"], max: field["maxLength"], of: "characters" };
  const format = typeof field["format"] === "string" ? formats[field["format"]] : undefined;
  return boundsProblem([...value].length, bounds) ?? (format?.fits(value) === false ? format.why : undefined);
}

function boundsProblem(
  count: number,
  { min, max, of }: { readonly min: unknown; readonly max: unknown; readonly of: string },
): string | undefined {
  if (typeof min === "number" && count < min) return `Enter at least ${min} ${of}.`;
  return typeof max === "number" && count > max ? `Enter at most ${max} ${of}.` : undefined;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Answers to several choices are their labels with commas between, and a label may have commas of its own. */
function splitLabels(answer: string, labels: readonly string[]): readonly string[] | undefined {
  const hopeless = new Set<number>();
  const from = (start: number): readonly string[] | undefined => {
    if (start === answer.length) return [];
    if (hopeless.has(start)) return undefined;
    for (const label of labels) {
      const end = start + label.length;
      if (!answer.startsWith(label, start) || (end !== answer.length && !answer.startsWith(", ", end))) continue;
      const rest = from(Math.min(end + 2, answer.length));
      if (rest !== undefined) return [label, ...rest];
    }
    hopeless.add(start);
    return undefined;
  };
  return from(0);
}

function wrong(why: string): FieldAnswer {
  return { ok: false, why };
}
