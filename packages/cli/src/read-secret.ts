/** Reads one line that must not appear on the screen, or what is piped in. */
import { stdin } from "node:process";
import { inputBytesMax, readPipedInput } from "./standard-input.ts";

const enter = new Set(["\r", "\n", "\u0004"]);
const interrupt = "\u0003";
const erase = new Set(["\u007f", "\b"]);

/** Empty when the user gave up, or nothing came. */
export async function readSecret(question: string): Promise<string> {
  if (stdin.isTTY) return readHidden(question);
  const piped = await readPipedInput({ mayWait: true });
  return piped.kind === "text" && piped.text.length < inputBytesMax ? piped.text : "";
}

function readHidden(question: string): Promise<string> {
  return new Promise((resolve) => {
    let typed = "";
    const finish = (text: string) => {
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      process.stderr.write("\n");
      resolve(text);
    };
    /** A paste arrives in one piece, and may bring its own line end. */
    const onData = (chunk: string) => {
      for (const character of chunk) {
        if (character === interrupt) return finish("");
        if (enter.has(character)) return finish(typed);
        typed = erase.has(character) ? typed.slice(0, -1) : typed + character;
      }
    };
    process.stderr.write(question);
    stdin.setRawMode(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    stdin.resume();
  });
}
