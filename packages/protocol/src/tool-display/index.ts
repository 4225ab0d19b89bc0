/** How tool calls are described to people, in one way for every client. */
export { durationInWords, lineCount } from "./amounts-in-words.ts";
export { displayOfTool } from "./display-of-tool.ts";
export type { ShowingContext } from "./shown-call.ts";
export type { GroupNoun, OutputLine, ToolBody, ToolDisplay, ToolStatus } from "./tool-display.ts";
