/** What commands say of skills, commands and output styles: everything that was found, and why it counts or not. */

export { type ListedDefinition, listDefinitions } from "./list-definitions.ts";
export { openExtensions } from "./open-extensions.ts";
