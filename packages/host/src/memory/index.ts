/** The memory of a project, for commands that start no session. */
export { lintNotes, openCommandMemory } from "./command-memory.ts";
export type { MemoryAnswer } from "./memory-answer.ts";
export { runMemoryWords } from "./memory-words.ts";
