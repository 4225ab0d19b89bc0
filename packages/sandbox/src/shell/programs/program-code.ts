/** The code that rows point to by name, for what a table cannot say. */
import { archiveCode, archiveRefinements } from "./code/archives.ts";
import { builtinCode, builtinRefinements } from "./code/builtins.ts";
import { findCode } from "./code/find.ts";
import { git } from "./code/git.ts";
import { networkCode, networkRefinements } from "./code/network.ts";
import { readerRefinements } from "./code/readers.ts";
import { runnerCode, runnerRefinements } from "./code/runners.ts";
import { shellCode } from "./code/shells.ts";
import { textCode, textRefinements } from "./code/text-programs.ts";
import { toolCode, toolRefinements } from "./code/tools.ts";
import { treeRefinements } from "./code/tree-readers.ts";
import { writerCode, writerRefinements } from "./code/writers.ts";
import type { Refine, RowProgram } from "./program-call.ts";

/** For rows that are read by their shape first. */
export const refinements: Readonly<Record<string, Refine>> = {
  ...archiveRefinements,
  ...builtinRefinements,
  ...networkRefinements,
  ...readerRefinements,
  ...runnerRefinements,
  ...textRefinements,
  ...toolRefinements,
  ...treeRefinements,
  ...writerRefinements,
};

/** For rows of the shape `code`. */
export const ownPrograms: Readonly<Record<string, RowProgram>> = {
  ...archiveCode,
  ...builtinCode,
  ...findCode,
  ...networkCode,
  ...runnerCode,
  ...shellCode,
  ...textCode,
  ...toolCode,
  ...writerCode,
  git,
};
