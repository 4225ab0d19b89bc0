/** What the model is told about memory: the table of contents as data, and the rules for saving. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { quarantineReason } from "../fence/quarantine.ts";
import { capIndex } from "./contents/cap-index.ts";
import { isEmptyIndex } from "./contents/index-file.ts";
import { digestOf } from "./contents/ledger.ts";
import { indexFile } from "./directory/store-files.ts";

export type IndexSourceParts = {
  readonly directory: string;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
};

const none: readonly ContextBlock[] = [];
/** Above the caps of the index, which say themselves what they cut. */
const tokensMax = 30_000;
/** More is no table of contents; nothing of it is read then. */
const fileBytesMax = 4_194_304;

/**
 * The index as it was when the session began, and again after a summary: what the agent saves meanwhile it knows. One
 * that comes into being during the session is told once.
 */
export function createIndexSource({ directory, clean }: IndexSourceParts): ContextSource {
  const path = join(directory, indexFile);
  let given = none;
  let looked: string | undefined;
  return {
    name: "memory",
    kind: "data",
    place: "head",
    tokensMax,
    read({ shown }) {
      if (shown(indexFile) !== undefined) return given;
      const stats = statSync(path, { throwIfNoEntry: false });
      const version = stats?.isFile() ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : "";
      if (version === looked) return given;
      looked = version;
      const isRead = stats !== undefined && version !== "" && stats.size <= fileBytesMax;
      given = isRead ? blocksOf(readFileSync(path, "utf8"), clean) : none;
      return given;
    },
  };
}

function blocksOf(file: string, clean: (text: string) => string): readonly ContextBlock[] {
  const { text, warning } = capIndex(file, clean(file));
  if (isEmptyIndex(text)) return none;
  const lines = text.split("\n").map((line) => (quarantineReason(line) === undefined ? line : withheld));
  const shown = [...lines, ...(warning === undefined ? [] : [warning])].join("\n");
  return [{ text: shown, origin: indexFile, hash: digestOf(shown), marks: { kind: "index" } }];
}

const withheld = "[a line is withheld until the user has looked at it]";

const rules = textBeside(import.meta.url, "./session/save-rules.md");

/** The same for as long as the session is open. */
export function createSaveRulesSource(directory: string): ContextSource {
  const block: ContextBlock = { text: fillSlots(rules, { directory }), origin: "memory" };
  return { name: "memory rules", kind: "policy", place: "head", read: () => [block] };
}
