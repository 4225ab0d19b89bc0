/** A question in the terminal that only a clear yes answers with yes. */
import { createInterface } from "node:readline/promises";
import { showTerminalControls } from "@kedge/protocol";

/** No where nobody can answer. */
export async function askYesOrNo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await reader.question(`${showTerminalControls(question)} [y/N] `)).trim().toLowerCase();
    return answer === "y" || answer === "yes";
  } finally {
    reader.close();
  }
}
