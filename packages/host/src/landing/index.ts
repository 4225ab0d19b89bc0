/** Landing the work of several workers, for commands of the terminal. */
export { type LandedTeam, type LandWish, land, workersOf } from "./land.ts";
export { type Landing, type LandingStop, landBranches, undoLanding, type Worker } from "./land-branches.ts";
export { landingText } from "./landing-words.ts";
export { detectTestCommand } from "./test-command.ts";
