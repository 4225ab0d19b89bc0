/** Tool search without a session: ranks any list of tools by a query. Loaded by the first search. */

export { rankTools } from "./rank-tools.ts";
export { createToolIndex, type IndexedTool, splitToolName, type ToolIndex } from "./tool-index.ts";
