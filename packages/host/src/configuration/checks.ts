/** The small language in which settings say what they accept; each answers with what is wrong, and where. */
import { isJsonObject } from "@kedge/protocol";

export type SettingProblem = { readonly path: string; readonly expected: string; readonly found: string };

/** `null` is accepted everywhere: in a stronger file it deletes the setting of a weaker one. */
export type Check = (value: unknown, path: string) => readonly SettingProblem[];

const shownCharactersMax = 60;

export function problem(path: string, expected: string, value: unknown): SettingProblem {
  const text = JSON.stringify(value) ?? "nothing";
  const found = text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
  return { path, expected, found };
}

/** The sentence for a person. */
export function describeProblem(file: string, { path, expected, found }: SettingProblem): string {
  return `${file}: ${path === "" ? "the file" : path} must be ${expected}, found ${found}`;
}

export function satisfies(expected: string, test: (value: unknown) => boolean): Check {
  return (value, path) => (value === null || test(value) ? [] : [problem(path, expected, value)]);
}

export const text = satisfies("a text", (value) => typeof value === "string");

export const webAddress = satisfies("a URL", (value) => {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === "http:" || protocol === "https:";
});

export const wholeNumber = satisfies("a whole number above 0", (value) => Number.isInteger(value) && Number(value) > 0);

export const amount = satisfies("a number not below 0", (value) => typeof value === "number" && value >= 0);

export function number({ min, max }: { readonly min: number; readonly max: number }): Check {
  const fits = (value: unknown) => typeof value === "number" && value >= min && value <= max;
  return satisfies(`a number from ${min} to ${max}`, fits);
}

export function list(member: Check): Check {
  return (value, path) => {
    if (value === null) return [];
    if (!Array.isArray(value)) return [problem(path, "a list", value)];
    return value.flatMap((each, index) => member(each, `${path}[${index}]`));
  };
}

export function oneOf(members: readonly string[]): Check {
  return satisfies(`one of ${members.join(", ")}`, (value) => members.some((member) => member === value));
}

/** Any names, each with a value of the same kind. */
export function record(member: Check): Check {
  return (value, path) => {
    if (value === null) return [];
    if (!isJsonObject(value)) return [problem(path, "an object", value)];
    return Object.entries(value).flatMap(([name, each]) => member(each, below(path, name)));
  };
}

/** The named fields, each optional; other names are left to their reader. */
export function object(fields: { readonly [name: string]: Check }): Check {
  return (value, path) => {
    if (value === null) return [];
    if (!isJsonObject(value)) return [problem(path, "an object", value)];
    return Object.entries(fields).flatMap(([name, check]) =>
      value[name] === undefined ? [] : check(value[name], below(path, name)),
    );
  };
}

export function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
