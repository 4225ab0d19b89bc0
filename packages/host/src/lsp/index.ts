/** Language servers and formatters for commands that start no session. */
export { type LspAnswer, lspActions, runLspWords } from "./lsp-words.ts";
export { openCommandCare } from "./open-command-care.ts";
