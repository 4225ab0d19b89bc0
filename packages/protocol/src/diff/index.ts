/** Unified diffs, read. */
export * from "./diff-file.ts";
export { unquoteDiffPath } from "./diff-path.ts";
export { createHunkBuilder } from "./hunk-builder.ts";
export * from "./read-unified-diff.ts";
