/** What the instruction files of a session are found and judged by. */
import type { InstructionPlaces, InstructionSettings } from "./discover.ts";
import type { InstructionEntry } from "./instruction-entry.ts";
import type { LoadParts } from "./load-instructions.ts";

export type InstructionParts = Omit<LoadParts, "root" | "home" | "known"> & {
  readonly places: InstructionPlaces;
  readonly settings: InstructionSettings;
  /** Texts from the network that the user approved, before all other files of the user. */
  readonly remote?: readonly InstructionEntry[];
};
