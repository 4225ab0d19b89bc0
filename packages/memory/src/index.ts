/** Keeps secrets out of everything that is shown, sent or remembered. */
export { redactSecrets } from "./redact.ts";
