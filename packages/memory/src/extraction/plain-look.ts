/** Reads a shell command that does nothing but look, by the few programs that a worker on memory may call. */
import { splitShell } from "@kedge/protocol";

const programs: ReadonlySet<string> = new Set(["ls", "find", "grep", "cat", "stat", "wc", "head", "tail"]);

/** Whatever writes, runs, substitutes, or hides something from a reader of the text. */
const unplain = /[<>$`(){}\\\n\r\0!&;#=%]/;
/** Options of those programs that act, read further files, or follow links out of the workspace. */
const acting = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|follow|files0-from|-|[A-Za-z]*[RLHf])/;
const quoted = /'[^']*'|"[^"]*"/g;

/**
 * The words that could name files, or undefined where the command is more than a look. Narrower than what a session may
 * look at: only pipes join commands, and outside of quotes nothing stands for other words.
 */
export function readPlainLook(command: string): readonly string[] | undefined {
  if (unplain.test(command) || /[*?[\]~'"]/.test(command.replaceAll(quoted, ""))) return undefined;
  const { parts, operators, isPlain } = splitShell(command);
  const isPiped = operators.every(({ operator }) => operator === "|");
  if (!isPlain || !isPiped || parts.length !== operators.length + 1) return undefined;
  const words: string[] = [];
  for (const { text } of parts) {
    const [program = "", ...rest] = text.trim().split(/\s+/);
    if (!programs.has(program)) return undefined;
    for (const word of rest.map((each) => each.replaceAll(/['"]/g, ""))) {
      // An option can carry a path behind its letter.
      if (acting.test(word) || (word.startsWith("-") && word.includes("/"))) return undefined;
      if (!word.startsWith("-")) words.push(word);
    }
  }
  return words;
}
