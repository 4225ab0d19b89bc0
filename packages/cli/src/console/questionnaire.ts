/** Questions of the model on the console: how each is shown, and what a typed line answers. */
import { type Question, showTerminalControls } from "@kedge/protocol";
import { talkTexts } from "../texts/console.ts";

export function questionnaireText({ question, options }: Question): string {
  const lines = options.map(({ label, description }, index) => {
    const more = description === "" ? "" : ` - ${showTerminalControls(description)}`;
    return `  ${index + 1} ${showTerminalControls(label)}${more}\n`;
  });
  return `? ${showTerminalControls(question)}\n${lines.join("")}`;
}

export function questionnaireHint({ options, multiSelect }: Question): string {
  const several = multiSelect === true ? talkTexts.severalAnswers : "";
  return talkTexts.options(options.length, several);
}

/** Numbers become the labels they stand for; everything else is taken as it is. Undefined for an empty line. */
export function parseChoice(line: string, { options, multiSelect }: Question): string | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const numbers = text.split(/[\s,]+/).map(Number);
  const labels = numbers.map((number) => options[number - 1]?.label);
  const isChoice = labels.every((label) => label !== undefined) && (multiSelect === true || labels.length === 1);
  return isChoice ? labels.join(", ") : text;
}
