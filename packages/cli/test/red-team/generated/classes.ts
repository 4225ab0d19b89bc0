/** All classes that are tried. */
import { actingOptions } from "./acting-options.ts";
import { callSurroundings } from "./call-surroundings.ts";
import type { CaseClass } from "./draw.ts";
import { evaluatedData } from "./evaluated-data.ts";
import { expandingWords, handedWords } from "./expanding-words.ts";
import { disguisedNames, hiddenStarts, nestedStarts } from "./hidden-programs.ts";
import { committedReads, hiddenReads, hunted } from "./hidden-reads.ts";
import { listedReads } from "./listed-reads.ts";
import { steeredPrograms } from "./steered-programs.ts";
import { wovenScripts } from "./woven-scripts.ts";

export const triedClasses: readonly CaseClass[] = [
  expandingWords,
  handedWords,
  evaluatedData,
  hiddenStarts,
  disguisedNames,
  nestedStarts,
  actingOptions,
  steeredPrograms,
  hiddenReads,
  listedReads,
  hunted,
  committedReads,
  callSurroundings,
  wovenScripts,
];
