/** What a search by words needs, loaded by the first one. */

export { rankTools } from "./rank-tools.ts";
export { createToolIndex } from "./tool-index.ts";
