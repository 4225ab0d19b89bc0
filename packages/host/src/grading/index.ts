/** Graders of tests, for commands of the terminal. */
export { gradeTests } from "./grade-tests.ts";
export { gradeText, scoreWanted } from "./grade-words.ts";
