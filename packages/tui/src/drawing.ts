/** What the terminal draws from and other screens draw from as well: diffs, code by colour, Markdown by block, rows. */
export { type AgentRow, agentRow, createAgentOrder, groupTitles } from "./dialogs/agent/agent-rows.ts";
export { type ServerRow, serverRow } from "./dialogs/server/server-rows.ts";
export { diffLines } from "./diff/diff-lines.ts";
export {
  type ShownDiff,
  type ShownFile,
  type ShownHunk,
  type ShownLine,
  type ShownPart,
  shownDiff,
} from "./diff/shown-diff.ts";
export { type Block, type BlockSplitter, createBlockSplitter } from "./markdown/block-splitter.ts";
export {
  createGuardedLexer,
  knownTokens,
  type LexMarkdown,
  type MarkdownList,
  type MarkdownTable,
  type MarkdownToken,
} from "./markdown/lex-markdown.ts";
export { createHighlighter, type Highlighter } from "./syntax/highlighter.ts";
export { knownLanguage, languageOfPath } from "./syntax/languages.ts";
export { type Line, restyle, type Span } from "./syntax/styled-text.ts";
