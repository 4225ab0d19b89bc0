/** Texts of `kedge session`. */
import { counted } from "@kedge/protocol";

export const changeTexts = {
  renameNeeds: "kedge session rename needs a session and its new title.",
  openIt: (sessionId: string) => `Open it with kedge --resume ${sessionId}.`,
  labelNeeds: "kedge session label needs a session, an entry and a label.",
  deletes: (sessionId: string, title: string) =>
    `This deletes ${sessionId} (${title}) permanently. Pass --yes to confirm, or archive it instead.`,
};

export const exportTexts = {
  exists: (path: string) => `${path} already exists. Choose another name, or pass --force to overwrite it.`,
  notWritten: (path: string, why: string) => `Could not write ${path} (${why}). Choose another name.`,
  saved: (target: string) => `Saved to ${target}.`,
};

export const importTexts = {
  needsFile: "kedge session import needs a file.",
  unreadable: (path: string) => `Could not read ${path}.`,
  from: (format: string, prompts: number, answers: number, calls: number) =>
    `From ${format}: ${counted(prompts, "prompt")}, ${counted(answers, "answer")}, ${counted(calls, "call")}.`,
  skipped: (what: string, count: number) => `Skipped: ${what} (${count}).`,
  openIt: (sessionId: string) => `Open it with kedge --resume ${sessionId}.`,
};

export const listTexts = {
  session: "session",
  lastUsed: "last used",
  status: "status",
  title: "title",
  noneArchived: "No archived sessions.",
  noneYet: "No sessions in this project yet.",
  newestOnly: (limit: number) => `Showing the newest ${limit}. Use --limit to show more.`,
};

export const pruneTexts = {
  nothingDeleted: "Nothing was deleted. Pass --yes to delete permanently.",
  inUse: (sessionId: string) => `in use       ${sessionId}`,
  outputOfDeleted: (folders: number) => `Output of deleted sessions: ${folders}.`,
  transcriptsOfDeleted: (files: number) => `Transcripts of deleted sessions: ${files}.`,
  snapshotsKept: (why: string) => `Snapshots were not touched: ${why}`,
  deleted: (sessionId: string, time: string, title: string) => `deleted  ${sessionId}  ${time}  ${title}`,
  wouldDelete: (sessionId: string, time: string, title: string) => `would delete  ${sessionId}  ${time}  ${title}`,
  removedSnapshots: (sessions: number, bytes: string) =>
    `Removed old snapshots of ${counted(sessions, "session")}: ${bytes}.`,
  oldSnapshots: (sessions: number, bytes: string) => `Old snapshots of ${counted(sessions, "session")}: ${bytes}.`,
  removedFiles: (files: number) => `Removed unused files: ${files}.`,
  unusedFiles: (files: number) => `Unused files: ${files}.`,
  freed: (bytes: string) => `Freed ${bytes}.`,
  wouldFree: (bytes: string) => `Would free ${bytes}.`,
};

export const replayTexts = {
  untilTooLarge: (last: number) => `The session has ${last} facts. --until must not be greater.`,
  tooLarge: (path: string, megabytes: number) => `${path} is larger than ${megabytes} MB.`,
  changedLater: (what: string) => `The record was changed after it was written: ${what}.`,
  asWritten: "the record as written",
  directoryEmpty: "The files of that point in time are not available, so the directory is empty.",
  continueWith: (directory: string, command: string) => `Continue with: cd ${directory} && ${command}`,
};

export const checkTexts = {
  notReplayable: (seq: number, why: string) => `\nCannot replay from fact ${seq} on: ${why}.`,
  matches: (sessionId: string, counts: string, rest: string) => `${sessionId}: matches the record; ${counts}.${rest}`,
  counts: (requests: number, rerun: number, fromRecord: number) =>
    `${counted(requests, "request")} compared, ${counted(rerun, "tool call")} rerun, ${fromRecord} taken from the record`,
  differs: (sessionId: string, seq: number, what: string) =>
    `${sessionId}: differs from its record at fact ${seq}. ${what}`,
  recorded: (value: string) => `  recorded  ${value}`,
  replayed: (value: string) => `  replayed  ${value}`,
  untilThen: (counts: string, rest: string) => `Until then: ${counts}.${rest}`,
};

export const playerTexts = {
  place: (seq: number, last: number) => `fact ${seq} of ${last}`,
  keys: "space play/pause, right or n next, left or p back, number and Enter jump, q quit",
  goTo: (place: string, seq: string) => `[${place}] go to fact ${seq}`,
};

export const rerunTexts = {
  startsEmpty: "The files from that time are not available, so the model starts in an empty directory.",
  result: (directory: string, sessionId: string) => `The files are in ${directory}, the session is ${sessionId}.`,
  recorded: "recorded",
  now: "now",
  filesChanged: "files changed",
};

export const scrubTexts = {
  sessionOrAll: "kedge session scrub takes either a session or --all.",
  noSecrets: "No secrets found.\n",
  nothingChanged: "Nothing changed. Pass --yes to remove them permanently.",
  places: (records: number, outputs: number) =>
    [records > 0 ? counted(records, "record") : "", outputs > 0 ? counted(outputs, "stored output") : ""]
      .filter((text) => text !== "")
      .join(" and "),
  found: (sessionId: string, places: string) => `${sessionId}: secrets in ${places}.\n`,
  removed: (sessionId: string, places: string) => `${sessionId}: removed secrets from ${places}.\n`,
};

export const searchTexts = {
  session: "session",
  time: "time",
  by: "by",
  found: "found",
  usage: "Usage: kedge session search <words>.",
  noResults: (words: string) => `No results for ${words}.`,
  doesNotAccept: (action: string, word: string) => `kedge session ${action} does not accept ${word}.`,
};

export const verifyTexts = {
  sessionOrAll: "kedge session verify takes either a session or --all.",
  removed: (payloads: number) => `, ${counted(payloads, "payload")} removed`,
  valid: (sessionId: string, removed: string, records: number, signature: string) =>
    `${sessionId}: valid${removed}. The chain of ${counted(records, "record")} is intact${signature}.\n`,
  at: (record: number, what: string) => ` at record ${record}: ${what}`,
  signed: " and is signed",
  signedUpTo: (record: number) => ` and is signed up to record ${record}`,
  notSigned: " and is not signed",
  unknownKey: "; it was signed with a key that is not available here",
  tampered: "tampered with",
  truncated: "truncated by a crash",
  broken: "the chain is broken",
};
