/** The text of `kedge --help`. */
import { textBeside } from "@kedge/protocol/text-file";

export function helpText(): string {
  return textBeside(import.meta.url, "./help.md");
}
