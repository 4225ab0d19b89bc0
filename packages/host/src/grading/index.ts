/** Graders of tests, for commands of the terminal. */
export { type Graded, type GradeSite, type GradeWish, gradeTests, mutantsMax } from "./grade-tests.ts";
export { gradeText, scoreWanted } from "./grade-words.ts";
