/** Which text stands for which argument of a definition. */
import type { Definition } from "./definition.ts";
import { listField, nestedField } from "./field-values.ts";
import { splitWords } from "./split-words.ts";

export type Parameter = {
  readonly name: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly otherwise?: string;
  readonly choices: readonly string[];
};

export type Arguments = {
  /** As typed. */
  readonly whole: string;
  readonly words: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  /** `$1` is the second word, as in skills of other agents, and not the first. */
  readonly isFromZero: boolean;
  /** `$@` is all words; in texts for most agents it is code of a shell. */
  readonly hasAllSign: boolean;
  /** `$$` is a dollar, as in prompts of Codex. */
  readonly hasDollarPairs?: boolean;
};

export type FilledArguments =
  | { readonly ok: true; readonly arguments: Arguments }
  | { readonly ok: false; readonly sentence: string };

/** The names that the definition gives to its arguments, in their order. */
export async function parametersOf(definition: Definition): Promise<readonly Parameter[]> {
  const { fields } = definition;
  const nested = await nestedField(fields, "parameters");
  if (Array.isArray(nested)) return nested.flatMap(parameterOf);
  const names = [...listField(fields, "parameters"), ...listField(fields, "arguments"), ...inputsIn(definition)];
  return names.map((name) => ({ name, isRequired: false, choices: [] }));
}

export async function fillArguments(definition: Definition, given: string): Promise<FilledArguments> {
  const { kind, body, place } = definition;
  const parameters = await parametersOf(definition);
  const whole = given.trim();
  const words = splitWords(whole);
  const isFromZero = kind === "skill" || /\$0(?!\d)/.test(body);
  const named = new Map<string, string>();
  const names = new Set([...parameters.map(({ name }) => name), ...capitalsIn(definition)]);
  const positions = words.filter((word) => {
    const [, name = "", value = ""] = /^([\w-]+)=([\s\S]*)$/.exec(word) ?? [];
    if (!names.has(name)) return true;
    named.set(name, value);
    return false;
  });
  const missing: string[] = [];
  for (const { name, isRequired, otherwise, choices } of parameters) {
    const value = named.get(name) ?? positions.shift() ?? otherwise;
    if (value === undefined && isRequired) missing.push(name);
    if (value !== undefined && choices.length > 0 && !choices.includes(value))
      return { ok: false, sentence: `${name} must be one of ${choices.join(", ")}, not ${value}.` };
    named.set(name, value ?? "");
  }
  if (missing.length > 0)
    return { ok: false, sentence: `Missing: ${missing.join(", ")}. ${usageOf(definition, parameters)}` };
  const signs = { hasAllSign: place.source === "omp", hasDollarPairs: place.source === "codex" };
  return { ok: true, arguments: { whole, words, named, isFromZero, ...signs } };
}

/** Prompt files of Copilot name what they ask for where they use it: `${input:topic:what it is about}`. */
function inputsIn({ body, place }: Definition): readonly string[] {
  if (place.source !== "github") return [];
  return [...new Set([...body.matchAll(/\$\{input:([\w-]+)[^}]*\}/g)].flatMap(([, name]) => name ?? []))];
}

/** Prompts of Codex take `FILE=a.ts` for `$FILE` without declaring it. */
function capitalsIn({ body, place }: Definition): readonly string[] {
  return place.source === "codex" ? [...body.matchAll(/\$([A-Z][A-Z\d_]*)/g)].flatMap(([, name]) => name ?? []) : [];
}

export function hintOf(parameters: readonly Parameter[]): string {
  return parameters.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`)).join(" ");
}

function usageOf({ name }: Definition, parameters: readonly Parameter[]): string {
  return `Usage: /${name} ${hintOf(parameters)}, by position or as name=value.`;
}

function parameterOf(value: unknown): readonly Parameter[] {
  if (typeof value === "string") return [{ name: value, isRequired: false, choices: [] }];
  if (typeof value !== "object" || value === null || !("name" in value)) return [];
  const { name, description, required, default: otherwise, choices } = value as { readonly [field: string]: unknown };
  if (typeof name !== "string" || !/^[\w-]+$/.test(name)) return [];
  return [
    {
      name,
      ...(typeof description === "string" && { description }),
      isRequired: required === true && otherwise === undefined,
      ...(otherwise !== undefined && otherwise !== null && { otherwise: String(otherwise) }),
      choices: Array.isArray(choices) ? choices.map(String) : [],
    },
  ];
}
