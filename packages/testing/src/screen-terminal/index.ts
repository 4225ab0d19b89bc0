/** A real terminal for whole programs: keys in, a screen out; and kedge started in one against a scripted model. */
export type { Cell, CellStyle } from "./cells.ts";
export * from "./open-scene.ts";
export { openScreenTerminal, type ScreenTerminal, type ScreenTerminalOptions } from "./open-screen-terminal.ts";
export { type PacedModel, startPacedModel } from "./paced-model.ts";
export { type ModelThread, startModelThread } from "./paced-model-thread.ts";
export * from "./scene-turns.ts";
