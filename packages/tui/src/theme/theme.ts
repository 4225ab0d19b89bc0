/** What a theme offers to views: styles by what a text means, never by a colour. */

/** Groups and names are those that theme files use. */
export const themeTokens = {
  core: [
    "accent",
    "border",
    "borderAccent",
    "borderMuted",
    "success",
    "error",
    "warning",
    "muted",
    "dim",
    "text",
    "thinkingText",
  ],
  backgrounds: [
    "selectedBg",
    "userMessageBg",
    "customMessageBg",
    "toolPendingBg",
    "toolSuccessBg",
    "toolErrorBg",
    "statusLineBg",
  ],
  message: ["userMessageText", "customMessageText", "customMessageLabel", "toolTitle", "toolOutput"],
  markdown: [
    "mdHeading",
    "mdLink",
    "mdLinkUrl",
    "mdCode",
    "mdCodeBlock",
    "mdCodeBlockBorder",
    "mdQuote",
    "mdQuoteBorder",
    "mdHr",
    "mdListBullet",
  ],
  diff: [
    "toolDiffAdded",
    "toolDiffRemoved",
    "toolDiffContext",
    "syntaxComment",
    "syntaxKeyword",
    "syntaxFunction",
    "syntaxVariable",
    "syntaxString",
    "syntaxNumber",
    "syntaxType",
    "syntaxOperator",
    "syntaxPunctuation",
  ],
  modes: [
    "thinkingOff",
    "thinkingMinimal",
    "thinkingLow",
    "thinkingMedium",
    "thinkingHigh",
    "thinkingXhigh",
    "bashMode",
    "pythonMode",
  ],
  status: [
    "statusLineSep",
    "statusLineModel",
    "statusLinePath",
    "statusLineGitClean",
    "statusLineGitDirty",
    "statusLineContext",
    "statusLineSpend",
    "statusLineStaged",
    "statusLineDirty",
    "statusLineUntracked",
    "statusLineOutput",
    "statusLineCost",
    "statusLineSubagents",
  ],
} as const;

type Groups = typeof themeTokens;
export type ThemeGroup = keyof Groups;
export type BackgroundToken = Groups["backgrounds"][number];
export type ForegroundToken = Exclude<Groups[ThemeGroup][number], BackgroundToken>;
export type ThemeToken = ForegroundToken | BackgroundToken;

export type Symbols = {
  readonly prompt: string;
  readonly bullet: string;
  readonly check: string;
  readonly cross: string;
  readonly pending: string;
  readonly running: string;
  readonly warning: string;
  readonly info: string;
  readonly folded: string;
  readonly unfolded: string;
  readonly arrow: string;
  readonly branch: string;
  readonly ellipsis: string;
  readonly separator: string;
  readonly quote: string;
  readonly horizontal: string;
  readonly vertical: string;
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly barFull: string;
  readonly barEmpty: string;
  readonly queued: string;
  readonly todoOpen: string;
  readonly todoDone: string;
  /** Frames of the line that tells what is done, and of small things that move. */
  readonly statusFrames: readonly string[];
  readonly activityFrames: readonly string[];
};

/** A text goes in clean and comes out with a style around it that ends where the text ends; styles may be nested. */
export interface Theme {
  readonly name: string;
  readonly isDark: boolean;
  fg(token: ForegroundToken, text: string): string;
  bg(token: BackgroundToken, text: string): string;
  bold(text: string): string;
  faint(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strikethrough(text: string): string;
  inverse(text: string): string;
  readonly symbols: Symbols;
}
