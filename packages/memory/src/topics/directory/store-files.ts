/** The names of everything in a memory directory. */

/** Topics that wait for the user: nobody said them, so they are neither indexed nor recalled. */
export const inboxFolder = "inbox";
/** Topics with a suspicious text, until the user has looked at them. */
export const quarantineFolder = "quarantine";
/** kedge's own records about the directory. */
export const recordFolder = ".store";

export const indexFile = "MEMORY.md";
export const fullIndexFile = "INDEX.full.md";

export const lockFile = `${recordFolder}/lock`;
/** A change that is decided and may not be carried out yet. */
export const pendingFile = `${recordFolder}/pending.json`;
/** What the harness knows about each topic. */
export const ledgerFile = `${recordFolder}/ledger.json`;

export function undoFile(number: number): string {
  return `${recordFolder}/undo-${number}.json`;
}

/** Where a topic lies decides what counts for it. */
export const topicPlaces = ["active", "inbox", "quarantine"] as const;

export type TopicPlace = (typeof topicPlaces)[number];

export function folderOf(place: TopicPlace): string {
  return place === "active" ? "" : place;
}

export function topicPath(place: TopicPlace, slug: string): string {
  return place === "active" ? `${slug}.md` : `${place}/${slug}.md`;
}
