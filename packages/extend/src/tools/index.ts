/** Where custom tools lie, found by name and text, without running anything. */
export { type FolderFiles, findCodeFiles, withImports } from "./find-code-files.ts";
