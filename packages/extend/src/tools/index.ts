/** Where custom tools lie, found by name and text, without running anything. */
export { findCodeFiles, withImports } from "./find-code-files.ts";
