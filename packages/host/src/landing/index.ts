/** Landing the work of several workers, for commands of the terminal. */
export { type LandedTeam, land } from "./land.ts";
export { undoLanding } from "./land-branches.ts";
export { landingText } from "./landing-words.ts";
export { detectTestCommand } from "./test-command.ts";
