/** Instruction files as sources of context: those of the start ahead of the conversation, all others behind what touched them. */
import type { ContextBlock, ContextSession, ContextSource } from "@kedge/protocol";
import type { InstructionEntry } from "./instruction-entry.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { createLoadedInstructions, type LoadedInstructions } from "./loaded-instructions.ts";
import { createNestedSource } from "./nested-source.ts";
import {
  attachedBlock,
  changedBlock,
  entryText,
  removedBlock,
  removedHash,
  renderEntries,
  shownPath,
  versionOf,
} from "./render-entries.ts";

const none: readonly ContextBlock[] = [];

/** What all files together may have; the builder says so where it cuts. */
const tokensMax = 50_000;

/** For one session. */
export function createInstructionSources(parts: InstructionParts): readonly ContextSource[] {
  const loaded = createLoadedInstructions(parts);
  return [
    openingSource(loaded, parts),
    createNestedSource(parts),
    dataSource(loaded, parts),
    attachedSource(loaded, parts),
    stickySource(loaded, parts),
  ];
}

type Shown = ContextSession["shown"];

function openingSource(loaded: LoadedInstructions, { places, isUnaccepted }: InstructionParts): ContextSource {
  /** Every file that was ever given, so that one that is gone can be taken back. */
  const given = new Set<string>();
  let made: readonly InstructionEntry[] | undefined;
  let blocks = none;

  function changes(shown: Shown): readonly ContextBlock[] {
    const present = new Map(loaded.entries().map((entry) => [entry.path, entry]));
    const changed = blocks.map((block) => {
      const before = shown(block.origin);
      const entry = present.get(block.origin);
      const isNews = before !== undefined && before !== block.hash && before !== removedHash && entry !== undefined;
      return isNews ? changedBlock(entry, places) : block;
    });
    const isGone = (path: string) => (present.get(path)?.why ?? "empty") === "empty" && !isUnaccepted(path, "");
    const removed = [...given]
      .filter((path) => isGone(path) && shown(path) !== undefined)
      .map((path) => removedBlock(path, places));
    return removed.length === 0 ? changed : [...changed, ...removed];
  }

  return {
    name: "instructions",
    kind: "instruction",
    place: "head",
    tokensMax,
    read({ state, shown }) {
      loaded.refresh(state);
      const now = loaded.entries();
      if (now !== made) {
        made = now;
        const shownNow = now.filter(({ status, form }) => status === "loaded" && form !== "sticky");
        blocks = renderEntries(shownNow, places);
        for (const { path } of shownNow) given.add(path);
      }
      return given.size === 0 ? none : changes(shown);
    },
  };
}

function dataSource(loaded: LoadedInstructions, { places }: InstructionParts): ContextSource {
  let made: readonly InstructionEntry[] | undefined;
  let blocks = none;
  return {
    name: "instruction files that were not accepted",
    kind: "data",
    place: "head",
    read({ state }) {
      loaded.refresh(state);
      const now = loaded.data();
      if (now !== made) {
        made = now;
        blocks = now.map(({ text, path }) => ({ text, origin: shownPath(path, places), hash: versionOf(text) }));
      }
      return blocks;
    },
  };
}

function attachedSource(loaded: LoadedInstructions, { places }: InstructionParts): ContextSource {
  let made: readonly InstructionEntry[] | undefined;
  let blocks = none;
  return {
    name: "nearby instructions",
    kind: "instruction",
    place: "turn",
    tokensMax,
    read({ state, shown }) {
      loaded.refresh(state);
      const now = loaded.attached();
      if (now !== made) {
        made = now;
        blocks = now.map((entry) => {
          const isOlder = shown(entry.path) !== undefined && shown(entry.path) !== versionOf(entryText(entry, places));
          return isOlder ? changedBlock(entry, places) : attachedBlock(entry, reasonOf(entry), places);
        });
      }
      return blocks;
    },
  };
}

function reasonOf({ patterns }: InstructionEntry): string {
  return patterns === undefined
    ? "Instructions for the files you work on, like those at the start:"
    : `A rule for files that match ${patterns.join(", ")}:`;
}

/** Said again with every prompt, and after a summary. */
function stickySource(loaded: LoadedInstructions, { places }: InstructionParts): ContextSource {
  let made: readonly InstructionEntry[] | undefined;
  let text = "";
  return {
    name: "sticky rules",
    kind: "instruction",
    place: "turn",
    tokensMax,
    read({ state }) {
      loaded.refresh(state);
      const now = loaded.entries();
      if (now !== made) {
        made = now;
        const rules = now.filter(({ form, status }) => form === "sticky" && status === "loaded");
        text = rules.map((entry) => entryText(entry, places)).join("\n");
      }
      if (text === "") return none;
      return [{ text: `Standing rules:\n${text}`, origin: "RULES.md", hash: `${versionOf(text)} ${loaded.turn()}` }];
    },
  };
}
