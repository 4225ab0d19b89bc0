/** What kedge wants to know of a skill before its body is read by anybody. */
import { createHash } from "node:crypto";
import type { Definition } from "../definitions/definition.ts";
import { hasShell } from "../definitions/expand-body.ts";
import { flagField, listField, textField } from "../definitions/field-values.ts";

export type Skill = {
  readonly definition: Definition;
  readonly name: string;
  /** What the model is told of it: description and when to use it, on one line. */
  readonly summary: string;
  /** Not offered until a file that matches is touched; always offered without any. */
  readonly paths: readonly string[];
  /** The model may use it by itself. */
  readonly isForModel: boolean;
  /** The user may type it as a command. */
  readonly isForUser: boolean;
};

export function skillOf(definition: Definition): Skill {
  const { fields, name, description } = definition;
  const when = textField(fields, "when-to-use")?.replaceAll(/\s+/g, " ");
  return {
    definition,
    name,
    summary: when === undefined ? description : `${description} Use when: ${when}`,
    paths: [...listField(fields, "paths"), ...listField(fields, "globs")],
    isForModel: !flagField(fields, "disable-model-invocation", false),
    isForUser: flagField(fields, "user-invocable", true),
  };
}

/** What a skill brings besides its text, in words for a person; nothing for one that only instructs. */
export function broughtBy(definition: Definition): readonly string[] {
  const { fields } = definition;
  const tools = listField(fields, "allowed-tools");
  const model = textField(fields, "model");
  return [
    ...(tools.length === 0 ? [] : [`allows ${tools.join(", ")} for its commands`]),
    ...(hasShell(definition) ? ["runs shell commands"] : []),
    ...(fields.has("hooks") ? ["has hooks"] : []),
    ...(model === undefined || model === "inherit" ? [] : [`asks for the model ${model}`]),
  ];
}

const versionCharacters = 12;

/** What the version of a skill that only instructs begins with. Not a name, so that no skill can be called so. */
export const instructsOnly = "plain-";

/** Names this very text from this very place: an answer that was given for it holds for no other. */
export function versionOf(definition: Definition): string {
  const { name, body, fields, place, file } = definition;
  const content = JSON.stringify([place.tier, place.source, file, body, [...fields]]);
  const digest = createHash("sha256").update(content).digest("hex").slice(0, versionCharacters);
  return `${name}@${broughtBy(definition).length === 0 ? instructsOnly : ""}${digest}`;
}
