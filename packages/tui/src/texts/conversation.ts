/** What stands in the conversation beside the words of the model: messages, tool calls, diffs, and notices between them. */
import { counted } from "@kedge/protocol";

export const transcriptTexts = {
  steers: "(sent with the next step)",
  followsUp: "(queued until this run ends)",
  note: "note",
  summary: "summary",
  thinking: "thinking",
  thought: "thought",
  thoughtFor: (time: string) => `thought for ${time}`,

  compacted: ({ before, arrow, after }: { before: string; arrow: string; after: string }) =>
    `compacted: ${before} ${arrow} ${after} tokens`,
  retried: ({ attempt, reason, time }: { attempt: number; reason: string; time: string }) =>
    `attempt ${attempt} failed: ${reason}; retried after ${time}`,
  changedFiles: ({ count, names }: { count: number; names: string }) => `${counted(count, "file")} changed: ${names}`,
  andMore: (count: number) => ` and ${count} more`,

  interrupted: "interrupted",
  truncated: "The answer was truncated at the output limit.",
  declined: "The model declined to answer.",

  moreLines: (count: number) => counted(count, "more line"),
  earlierLines: (count: number) => counted(count, "earlier line"),
  image: (about: string) => `[image: ${about}]`,
  imageWithoutText: "no description",
} as const;

export const diffTexts = {
  unnamedFile: "unnamed file",
  binaryFile: "Binary file, not shown.",
  noNewline: "no newline at end of file",
  whitespaceOnly: "whitespace only",
  foldedLines: (count: number) => counted(count, "line"),
} as const;

export const pagerTexts = {
  title: "Text",
  place: ({ first, last, total }: { first: number; last: number; total: number }) => `${first}-${last} of ${total}`,
  search: "/ search",
  close: "esc close",
  noMatches: (query: string) => `no matches for ${query}`,
} as const;

/** Between the messages, for what happened beside them. */
export const noticeTexts = {
  interrupted: "Interrupted.",
  rejected: "Rejected. Tell the model what to do instead.",
  promptKept: "1 queued prompt is kept and will be sent with your next prompt.",
  promptsKept: (count: number) => `${counted(count, "queued prompt")} are kept and will be sent with your next prompt.`,
  editKept: (key: string) => `Press ${key} to edit it.`,
  editLastKept: (key: string) => `Press ${key} to edit the last one.`,
  budgetUsed: ({ percent, limit }: { percent: number; limit: string }) => `${percent}% of the ${limit} limit used.`,

  lastRunInterrupted: "The last run was interrupted. Resume it with /continue.",
  inFork: "You are in a fork. The original session is unchanged.",
  continuedInNewSession:
    "This conversation was large and continues in a new session. The previous one is in /sessions.",
  sessionRenamed: (title: string) => `Session renamed to ${title}.`,
  modelChanged: (model: string) =>
    `Model: ${model}, from the next prompt. To make it the default, run kedge config set model ${model}.`,
  modelNotSaved: (reason: string) => `The model could not be saved as the default: ${reason}`,

  undone: (changes: string) => `Undone: ${changes}.`,
  redone: (changes: string) => `Redone: ${changes}.`,
  notInSnapshot: (files: string) => `Not covered by a snapshot: ${files}.`,
  noFilesChanged: "no files changed",
  filesChanged: ({ count, names }: { count: number; names: string }) => `${counted(count, "file")} changed: ${names}`,
  andMore: (count: number) => `and ${count} more`,

  connectionLost: "Lost the connection to the engine.",
  serverSilent: "The server is not responding.",
  conversationSaved: "The conversation so far is saved.",
  reconnected: "Reconnected to the server.",
  engineStarting: "The engine is still starting.",
  tryAgain: "Try again in a moment.",
  resumeLater: "Resume with kedge --continue.",

  /** For one who may read the session but not answer in it. */
  modelAsks: (question: string) => `The model asks: ${question}`,
  cannotAnswer: "View only: your token does not allow answers.",
  cannotApprove: "View only: your token does not allow approvals.",
} as const;
