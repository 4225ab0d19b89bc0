/** A real terminal for whole programs: keys in, a screen out; and kedge started in one against a scripted model. */
export type { Cell } from "./cells.ts";
export * from "./open-scene.ts";
export { openScreenTerminal, type ScreenTerminal } from "./open-screen-terminal.ts";
export { type PacedModel, startPacedModel } from "./paced-model.ts";
export { startModelThread } from "./paced-model-thread.ts";
export * from "./scene-turns.ts";
