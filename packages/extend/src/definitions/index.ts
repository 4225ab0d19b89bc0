/** Definitions: skills, commands and output styles as Markdown files, read patiently and found with reasons. */

export type {
  Definition,
  DefinitionKind,
  DefinitionNote,
  DefinitionPlace,
  Fields,
  HiddenDefinition,
  RefusedDefinition,
  Tier,
} from "./definition.ts";
export { flagField, listField, nestedField, textField } from "./field-values.ts";
export { type FoundDefinitions, findDefinitions, type SearchedFolder } from "./find-definitions.ts";
export { makeDefinition } from "./make-definition.ts";
