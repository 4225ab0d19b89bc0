/** Keeps secrets out of everything that is shown, sent or remembered. */

export { type NeutralisedText, neutraliseText, type TextChannel, textChannels } from "./fence/neutralise-text.ts";
export { shapeNames } from "./picture-archive/shape.ts";
export { redactSecrets } from "./redact.ts";
