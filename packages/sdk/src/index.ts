/** The Client in process: every screen and script talks to the engine through this. */
export { connectInProcess } from "./in-process.ts";
