/** Memory that a team shares in its repository: data of strangers, shown only in a trusted workspace and never about a person. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import { capIndex } from "./contents/cap-index.ts";
import { activeTopics, readContents } from "./contents/contents.ts";
import { indexText } from "./contents/index-file.ts";
import { digestOf } from "./contents/ledger.ts";
import { readFileSet } from "./directory/file-set.ts";
import { ledgerFile } from "./directory/store-files.ts";

export type TeamSourceParts = {
  /** In the repository. */
  readonly directory: string;
  readonly clean: (text: string) => string;
  /** As it was when the session began. */
  readonly isTrusted: () => boolean;
};

const origin = "team memory";
const none: readonly ContextBlock[] = [];

/** Read when the session begins and after a summary. */
export function createTeamSource({ directory, clean, isTrusted }: TeamSourceParts): ContextSource {
  let given: readonly ContextBlock[] | undefined;
  return {
    name: "team memory",
    kind: "data",
    place: "head",
    read({ shown }) {
      if (given !== undefined && (given.length === 0 || shown(origin) !== undefined)) return given;
      given = isTrusted() ? teamBlocks(directory, clean) : none;
      return given;
    },
  };
}

function teamBlocks(directory: string, clean: (text: string) => string): readonly ContextBlock[] {
  const { texts, unreadable } = readFileSet(directory);
  // A repository cannot say what its own texts are worth, so no ledger of it counts.
  const own = new Map([...texts].filter(([path]) => path !== ledgerFile && !path.includes("/")));
  const topics = activeTopics(readContents({ texts: own, unreadable }, clean)).filter(
    ({ topic }) => topic.type !== "user",
  );
  if (topics.length === 0) return none;
  const index = indexText(topics, []).replaceAll("](", `](${teamFolder}/`);
  const { text, warning } = capIndex(index);
  const shown = warning === undefined ? text : `${text}\n${warning}`;
  return [{ text: shown, origin, hash: digestOf(shown), marks: { kind: "index", by: "team" } }];
}

/** From the root of the repository. */
export const teamFolder = ".kedge/team-memory";
