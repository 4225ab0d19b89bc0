/** What slash commands say: usage lines, results, and questions before something is sent. Lists of commands are in `palette.ts`. */
import { counted } from "@kedge/protocol";

export const anyCommandTexts = {
  noSession: "No session yet. Choose a model with /model to start one.",
  chooseModel: "Choose a model first with /model.",
  didYouMean: (name: string) => `Did you mean ${name}?`,
  usageOfSwitch: (command: string) => `Usage: /${command} [on|off].`,
} as const;

export const sessionNoticeTexts = {
  begun: "New session. The previous one is in /sessions.",
  notFound: (wanted: string) => `No session matches ${wanted}. List sessions with /sessions.`,
  alreadyOpen: "You are already in this session.",
  usageOfUndo: (command: string) =>
    `Usage: /${command} [force]. With force, your own edits to the same files are overwritten.`,
  usageOfCheckpoint: "Usage: /checkpoint discard, or /rewind to go back.",
  checkpointDiscarded: (goal: string) => `Checkpoint discarded: ${goal}`,

  title: (title: string) => `Title: ${title}. Change it with /rename <title>.`,
  noTitle: "The session has no title yet. Change it with /rename <title>.",

  usageOfShake: "Usage: /shake, or /shake images for images only.",
  nothingToDrop: "Nothing to drop.",
  dropped: ({ count, tokens }: { count: number; tokens: string }) =>
    `${counted(count, "result")} dropped from the context, about ${tokens} tokens freed.`,

  noHandoff: "No handoff was possible. The conversation was summarized instead.",
  handedOff: "Continuing in a new session. The previous one is in /sessions.",

  usageOfTree: "Usage: /tree <number> [summary]. With summary, the branch you leave is summarized.",
  noEntry: (number: string) =>
    `No entry ${number}. Usage: /tree <number> [summary]. With summary, the branch you leave is summarized.`,
  continuesAfter: (number: string) => `Continuing after entry ${number}.`,
  continuesBefore: ({ number, prompt }: { number: string; prompt: string }) =>
    `Continuing before entry ${number}:\n${prompt}`,
  nothingToLabel: "Nothing to label yet. Send a prompt first.",
  labeled: (label: string) => `Labeled: ${label}.`,
  labelRemoved: "Label removed.",

  unknownFormat: ({ ending, formats }: { ending: string; formats: string }) =>
    `Unknown file type .${ending}. Add a format after the name: ${formats}.`,
  copied: "Conversation copied.",
  bugSaved: "Nothing was sent. Review the file, then attach it to your report.",
} as const;

export const modelNoticeTexts = {
  bypass: "Bypass mode must be enabled at startup: kedge --dangerously-skip-permissions.",
  effortSet: (effort: string) => `Reasoning effort: ${effort}, from the next prompt.`,
  effort: ({ effort, efforts }: { effort: string; efforts: string }) =>
    `Reasoning effort: ${effort}. Set it with /effort ${efforts}.`,
  effortOfModel: "model default",
  unknownMode: ({ mode, hint }: { mode: string; hint: string }) => `Unknown mode ${mode}. ${hint}`,
  modes: (modes: string) => `Modes: ${modes}.`,
  agents: "Agents: build (all tools) and plan (read-only). Switch with /agent build or /agent plan.",
  currentAgent: (agent: string) => `Current: ${agent}.`,
} as const;

export const viewNoticeTexts = {
  unknownTheme: ({ theme, hint }: { theme: string; hint: string }) => `No theme named ${theme}. ${hint}`,
  listThemes: "/theme lists them.",
  noAnswer: "No answer to copy yet.",
  answerCopied: "Last answer copied.",
  noFilesChanged: "No files changed in this session.",
  changesTitle: "Changes in this session",
  vimOn: "Vim mode on. Press i to insert, Escape for NORMAL.",
  vimOff: "Vim mode off.",
  notSaved: (problem: string) => `The change applies until you exit, but could not be saved: ${problem}.`,
  settingsInvalid: "tui.json is not valid JSON. Fix it first",
} as const;

export const kedgeNoticeTexts = {
  allDefaults: "All settings are at their defaults. Run kedge config path to see where settings files go.",
  settingsFiles: "Settings files in use (kedge config list shows every setting):",
  settingsFile: ({ layer, file }: { layer: string; file: string }) => `${layer}: ${file}`,
  settingsWarning: (warning: string) => `settings: ${warning}`,
  check: ({ name, result }: { name: string; result: string }) => `${name}: ${result}`,
  noProblems: (checks: string) => `No problems found. Checked: ${checks}.`,
  noSettingChanged: "No setting changed.",
  settingsChanged: (names: string) => `Changed: ${names}.`,
} as const;

export const sharingTexts = {
  notShared: "Not shared.",
  notSharedYet: "Not shared. Share this session with /collab.",
  noLongerShared: "No longer shared. The links no longer work.",
  sharedThrough: (relay: string) => `Shared through ${relay}.`,
  relayLost: (relay: string) => `The relay ${relay} cannot be reached; retrying.`,
  newLinks: "New links created. Connected guests stay; the old links no longer work.",
  linkToPrompt: "To send prompts:",
  linkToWatch: "To watch:",
  openLink: 'Open a link in a browser, or with kedge join "<link>".',

  noGuests: "No guests yet.",
  guests: "Guests:",
  guest: ({ number, name, rights }: { number: number; name: string; rights: string }) =>
    `  ${number}  ${name} (${rights})`,
  canPrompt: "can prompt",
  watches: "watching",
  refused: ({ what, guest, why }: { what: string; guest: string; why: string }) =>
    `  Refused: ${what} from ${guest}: ${why}`,
  whichGuest: (action: string) => `Which guest? Use /collab ${action} <number>; /collab status lists them.`,
  guestRemoved: "Guest removed. The links were replaced for everyone else.",
  guestCanPrompt: "This guest can send prompts now.",
  guestCanWatch: "This guest can only watch now.",

  /** `shows` is a sentence of its own about what others will see. */
  askShare: ({ relay, shows }: { relay: string; shows: string }) => `Share this session through ${relay}? ${shows}`,
  share: "Share",
  aboutShare: "Create the links",
  cancel: "Cancel",
  aboutCancel: "Send nothing",

  joinElsewhere: (link: string) => `Run this in another terminal:\nkedge join "${link}"`,
  notALink: "This is not a link to a shared session. Usage: /join <link>",

  size: (kilobytes: number) => `${kilobytes} KB`,
  askUpload: ({ server, size, secrets }: { server: string; size: string; secrets: number }) =>
    `Upload a copy of this session to ${server}? It is ${size}, encrypted so that only people with the link can read it, with ${counted(secrets, "secret")} replaced.`,
  askHandler: ({ server, size, secrets }: { server: string; size: string; secrets: number }) =>
    `Pass a copy of this session to ${server}? It is ${size}, not encrypted, with ${counted(secrets, "secret")} replaced.`,
  upload: "Upload",
  aboutUpload: "Anyone with the link can read it for 30 days, or until you revoke it",
  aboutHandler: "Run your upload handler",
  uploaded: ({ link, shareId }: { link: string; shareId: string }) =>
    `${link}\nDelete it with kedge share revoke ${shareId}.`,
} as const;
