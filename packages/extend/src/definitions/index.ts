/** Definitions: skills, commands, agents and output styles as Markdown files, read patiently and found with reasons. */

export type { Definition, DefinitionKind, DefinitionPlace, FieldValue, RefusedDefinition, Tier } from "./definition.ts";
export { placeVariables, type ShellText } from "./expand-body.ts";
export { listField, nestedField, textField } from "./field-values.ts";
export { parametersOf } from "./fill-arguments.ts";
export { type FoundDefinitions, findDefinitions, pathsBelow, type SearchedFolder } from "./find-definitions.ts";
export { makeDefinition } from "./make-definition.ts";
export { readDefinitionFile } from "./read-definition-file.ts";
