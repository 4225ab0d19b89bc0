/** Commands that users wrote: Markdown files that a user types by name, and the prompts that they stand for. */

export { argumentHintOf, commandPrompt } from "./command-prompt.ts";
