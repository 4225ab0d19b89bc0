/** Formatters: which there are, and running one on a file that was written. */
export { type FormatterDefinition, formatterTable } from "./formatter-table.ts";
export { runFormatter } from "./run-formatter.ts";
