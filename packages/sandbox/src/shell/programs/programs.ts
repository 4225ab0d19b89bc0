/** Every known program by its base name. */
import { archivePrograms } from "./archive-programs.ts";
import { builtins } from "./builtins.ts";
import { findPrograms } from "./find-programs.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { lonePrograms } from "./lone-programs.ts";
import { addMarkedRunners } from "./marked-runners.ts";
import { networkPrograms } from "./network-programs.ts";
import type { Program, Programs } from "./program-call.ts";
import { runners } from "./runners.ts";
import { shells } from "./shells.ts";
import { textPrograms } from "./text-programs.ts";
import { moreTools, tools } from "./tools.ts";
import { wrappers } from "./wrappers.ts";
import { writers } from "./writers.ts";

/** Later rows win, so that a program of its own kind is not taken for a plain one. */
const ownRows: Programs = new Map<string, Program>([
  ...lonePrograms,
  ...writers,
  ...tools,
  ...moreTools,
  ...archivePrograms,
  ...networkPrograms,
  ...textPrograms,
  ...findPrograms,
  ...interpreters,
  ...builtins,
  ...wrappers,
  ...runners,
  ...shells,
  ["git", git],
]);

export const programs: Programs = addMarkedRunners(ownRows);
