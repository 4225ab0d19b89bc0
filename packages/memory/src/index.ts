/** Keeps secrets out of everything that is shown, sent or remembered. */

export { neutraliseText } from "./fence/neutralise-text.ts";
export { shapeNames } from "./picture-archive/shape.ts";
export { createRedactor } from "./redaction/create-redactor.ts";
