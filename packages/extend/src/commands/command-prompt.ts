/** Makes the prompt that a command stands for. */
import type { Definition } from "../definitions/definition.ts";
import { type BodyParts, expandBody } from "../definitions/expand-body.ts";
import { textField } from "../definitions/field-values.ts";
import { fillArguments, hintOf, parametersOf } from "../definitions/fill-arguments.ts";

export type CommandPrompt =
  | { readonly ok: true; readonly prompt: string }
  /** What is wrong with the arguments. */
  | { readonly ok: false; readonly sentence: string };

/** The first line says what was typed, without the slash that would make a command of the prompt once more. */
export async function commandPrompt(
  definition: Definition,
  given: string,
  parts: Omit<BodyParts, "arguments">,
): Promise<CommandPrompt> {
  const filled = await fillArguments(definition, given);
  if (!filled.ok) return filled;
  const body = await expandBody(definition, { ...parts, arguments: filled.arguments });
  const { name } = definition;
  return { ok: true, prompt: `Command ${name}${given.trim() === "" ? "" : ` ${given.trim()}`}:\n\n${body}` };
}

/** What may follow the name, as the author says it or as the parameters tell it. */
export async function argumentHintOf(definition: Definition): Promise<string | undefined> {
  const written = definition.fields.get("argument-hint");
  // `[message]` is a list to YAML, and brackets to its author.
  const given = Array.isArray(written) ? `[${written.join(", ")}]` : textField(definition.fields, "argument-hint");
  const hint = given ?? hintOf(await parametersOf(definition));
  return hint === "" ? undefined : hint;
}
