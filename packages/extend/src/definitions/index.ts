/** Definitions: skills, commands, agents and output styles as Markdown files, read patiently and found with reasons. */

export type {
  Definition,
  DefinitionKind,
  DefinitionNote,
  DefinitionPlace,
  Fields,
  FieldValue,
  HiddenDefinition,
  RefusedDefinition,
  Tier,
} from "./definition.ts";
export { type BodyParts, expandBody, hasShell, placeVariables, type ShellText } from "./expand-body.ts";
export { flagField, listField, nestedField, textField } from "./field-values.ts";
export { fillArguments, hintOf, type Parameter, parametersOf } from "./fill-arguments.ts";
export { type FoundDefinitions, findDefinitions, pathsBelow, type SearchedFolder } from "./find-definitions.ts";
export { makeDefinition } from "./make-definition.ts";
export { readDefinitionFile } from "./read-definition-file.ts";
