/** Text from outside as it may stand on the screen: no control sequence, no invisible mark, no tab of unknown width. */
import { showTerminalControls, stripTerminalControls } from "@kedge/protocol";

const tabText = "    ";

/** For text that flows, such as answers and output. */
export function cleanText(text: string): string {
  return stripTerminalControls(text).replaceAll("\t", tabText);
}

/** For what a person has to judge, such as a command: nothing vanishes, what is unsafe is made visible. */
export function judgedText(text: string): string {
  return showTerminalControls(text).replaceAll("\t", tabText);
}

/** The same on one line, whatever was in it. */
export function judgedLine(text: string): string {
  return judgedText(text).replaceAll("\n", "␊");
}

/** For names and titles: one line, whatever was in it. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
