/** The simple commands of a shell text, each without what says nothing about its program. */
import { splitShell } from "@kedge/protocol";

export type PlainCommand = {
  /** One space between words, plain words without quotes; assignments, wrappers and the path of the program taken off. */
  readonly text: string;
  /** It reads what another command prints. */
  readonly readsPipe: boolean;
};

export function plainCommands(command: string): readonly PlainCommand[] {
  return splitShell(command)
    .parts.map(({ text, readsPipe }) => ({ text: canonical(text), readsPipe }))
    .filter(({ text }) => text !== "" && text !== "()");
}

const quotedOrSpace = /'[^']*'|"(?:[^"\\]|\\.)*"|\s+/gs;
const plainWord = /^.[\w./:@%+,=-]+.$/;
const keywords = /^(?:(?:if|then|else|elif|while|until|do|time|!|\{)\s+)+/;
const assignments = /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/;
const wrappers =
  /^(?:(?:command|builtin|exec|nohup|sudo|env|time|npx|bunx|nice(?:\s+-n\s*-?\d+)?|timeout\s+[\d.]+[smhd]?|stdbuf\s+-\S+|xargs)\s+)(?!-)/;

function canonical(raw: string): string {
  const plain = raw.trim().replaceAll(quotedOrSpace, (piece) => {
    if (/^\s/.test(piece)) return " ";
    return plainWord.test(piece) ? piece.slice(1, -1) : piece;
  });
  let text = plain.replace(keywords, "");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(assignments, "").replace(wrappers, "");
  }
  return text.replace(/\s*\}$/, "").replace(/^\S*\/(?=[\w.-]+(?:\s|$))/, "");
}
