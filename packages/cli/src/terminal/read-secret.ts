/** Reads one line that must not appear on the screen, or what is piped in. */
import { stdin } from "node:process";
import { readPipedInput } from "../headless/standard-input.ts";

export type Secret =
  | { readonly kind: "given"; readonly text: string }
  /** Nothing came, or an empty line. */
  | { readonly kind: "none" }
  | { readonly kind: "interrupted" };

const enter = new Set(["\r", "\n", "\u0004"]);
const interrupt = "\u0003";
const erase = new Set(["\u007f", "\b"]);
const eraseLine = "\u0015";

export async function readSecret(question: string): Promise<Secret> {
  if (stdin.isTTY) return readHidden(question);
  const piped = await readPipedInput({ mayWait: true });
  return piped.kind === "text" ? secretOf(piped.text) : { kind: "none" };
}

function secretOf(text: string): Secret {
  const trimmed = text.trim();
  return trimmed === "" ? { kind: "none" } : { kind: "given", text: trimmed };
}

function readHidden(question: string): Promise<Secret> {
  return new Promise((resolve) => {
    let typed = "";
    const finish = (secret: Secret) => {
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write("\n");
      resolve(secret);
    };
    /** A paste arrives in one piece, and may bring its own line end. */
    const onData = (chunk: string) => {
      for (const character of chunk) {
        if (character === interrupt) return finish({ kind: "interrupted" });
        if (enter.has(character)) return finish(secretOf(typed));
        if (character === eraseLine) typed = "";
        else typed = erase.has(character) ? typed.slice(0, -1) : typed + character;
      }
    };
    // Before the question: whoever answers it at once must not be echoed.
    stdin.setRawMode(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    process.stderr.write(question);
    stdin.resume();
  });
}
