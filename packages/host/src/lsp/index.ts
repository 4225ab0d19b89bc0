/** Language servers and formatters for commands that start no session. */
export { lspActions, runLspWords } from "./lsp-words.ts";
export { openCommandCare } from "./open-command-care.ts";
