/** The command line of kedge. */
export { main } from "./main.ts";
