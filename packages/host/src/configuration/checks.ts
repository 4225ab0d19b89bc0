/** The small language in which settings say what they accept: each answers with what is wrong and where, and describes itself. */
import { isJsonObject, type Json } from "@kedge/protocol";

export type SettingProblem = { readonly path: string; readonly expected: string; readonly found: string };

/** The part of JSON Schema that describes settings to editors and to people. */
export type SettingSchema = {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly format?: "uri";
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: { readonly [name: string]: SettingSchema };
  readonly additionalProperties?: SettingSchema;
  readonly required?: readonly string[];
  readonly items?: SettingSchema;
  readonly anyOf?: readonly SettingSchema[];
  /** Its value is never shown. */
  readonly writeOnly?: true;
};

/** `null` is accepted everywhere: in a stronger file it deletes the setting of a weaker one. */
export type Check = {
  (value: unknown, path: string): readonly SettingProblem[];
  /** Made when somebody asks: a start only checks. */
  readonly schema: () => SettingSchema;
};

const shownCharactersMax = 60;

export function problem(path: string, expected: string, value: unknown): SettingProblem {
  const text = JSON.stringify(value) ?? "nothing";
  const found = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
  return { path, expected, found };
}

/** The sentence for a person. */
export function describeProblem(file: string, { path, expected, found }: SettingProblem): string {
  return `${file}: ${path === "" ? "the file" : path} must be ${expected}, got ${found}`;
}

export function checkWith(
  schema: () => SettingSchema,
  look: (value: unknown, path: string) => readonly SettingProblem[],
): Check {
  return Object.assign((value: unknown, path: string) => (value === null ? [] : look(value, path)), { schema });
}

export function satisfies(expected: string, schema: SettingSchema, test: (value: unknown) => boolean): Check {
  return checkWith(
    () => schema,
    (value, path) => (test(value) ? [] : [problem(path, expected, schema.writeOnly === true ? hidden(value) : value)]),
  );
}

/** What is never shown is not shown either where it is wrong; of what kind it is, is told. */
function hidden(value: unknown): unknown {
  return typeof value === "string" ? "…" : value;
}

/** The same check with a sentence for people, and the value that holds where nobody sets one. */
export function said(description: string, check: Check, standard?: Json): Check {
  const schema = () => ({ ...check.schema(), description, ...(standard !== undefined && { default: standard }) });
  return Object.assign((value: unknown, path: string) => check(value, path), { schema });
}

export const text = satisfies("a text", { type: "string" }, (value) => typeof value === "string");

/** A text that is used and never shown. */
export const secretText = satisfies(
  "a text",
  { type: "string", writeOnly: true },
  (value) => typeof value === "string",
);

export const flag = satisfies("true or false", { type: "boolean" }, (value) => typeof value === "boolean");

export const webAddress = satisfies("a URL", { type: "string", format: "uri" }, (value) => {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === "http:" || protocol === "https:";
});

export const wholeNumber = satisfies(
  "a whole number above 0",
  { type: "integer", minimum: 1 },
  (value) => Number.isInteger(value) && Number(value) > 0,
);

export const amount = satisfies(
  "a number, 0 or greater",
  { type: "number", minimum: 0 },
  (value) => typeof value === "number" && value >= 0,
);

export const modelReference = satisfies(
  "a string of the form provider/model",
  { type: "string", pattern: "^[^/]+/.+$" },
  (value) => typeof value === "string" && /^[^/]+\/.+$/.test(value),
);

/** Where another model may work beside that of a session. */
export const modelName = satisfies(
  "a string of the form provider/model, or fast, default or slow",
  { type: "string", pattern: "^(?:[^/]+/.+|fast|default|slow)$" },
  (value) => typeof value === "string" && /^(?:[^/]+\/.+|fast|default|slow)$/.test(value),
);

export function number({ min, max }: { readonly min: number; readonly max: number }): Check {
  const fits = (value: unknown) => typeof value === "number" && value >= min && value <= max;
  return satisfies(`a number from ${min} to ${max}`, { type: "number", minimum: min, maximum: max }, fits);
}

export function wholeNumberWithin({ min, max }: { readonly min: number; readonly max: number }): Check {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return satisfies(`a whole number from ${min} to ${max}`, { type: "integer", minimum: min, maximum: max }, fits);
}

/** `null` in place of the whole list deletes it; among its members it would be no value of their kind. */
export function list(member: Check): Check {
  return checkWith(
    () => ({ type: "array", items: member.schema() }),
    (value, path) => {
      if (!Array.isArray(value)) return [problem(path, "a list", value)];
      return value.flatMap((each, index) => {
        const at = `${path}[${index}]`;
        return each === null ? [problem(at, "a value", each)] : member(each, at);
      });
    },
  );
}

export function oneOf(members: readonly string[]): Check {
  return checkWith(
    () => ({ type: "string", enum: members }),
    (value, path) =>
      members.some((member) => member === value) ? [] : [problem(path, `one of ${members.join(", ")}`, value)],
  );
}

/** A list that holds only these texts. */
export function someOf(members: readonly string[]): Check {
  return checkWith(
    () => ({ type: "array", items: { type: "string", enum: members } }),
    (value, path) =>
      Array.isArray(value) && value.every((each) => members.includes(each))
        ? []
        : [problem(path, `a list of ${members.join(", ")}`, value)],
  );
}

/** Any names, each with a value of the same kind. */
export function record(member: Check): Check {
  return checkWith(
    () => ({ type: "object", additionalProperties: member.schema() }),
    (value, path) => {
      if (!isJsonObject(value)) return [problem(path, "an object", value)];
      return Object.entries(value).flatMap(([name, each]) => member(each, below(path, name)));
    },
  );
}

/** The named fields, each optional; other names are left to their reader. */
export function object(fields: { readonly [name: string]: Check }): Check {
  const schema = (): SettingSchema => ({
    type: "object",
    properties: Object.fromEntries(Object.entries(fields).map(([name, check]) => [name, check.schema()])),
  });
  return checkWith(schema, (value, path) => {
    if (!isJsonObject(value)) return [problem(path, "an object", value)];
    return Object.entries(fields).flatMap(([name, check]) =>
      value[name] === undefined ? [] : check(value[name], below(path, name)),
    );
  });
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
