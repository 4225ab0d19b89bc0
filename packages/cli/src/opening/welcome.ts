/** The screen for someone who has not configured a model. */
import { textBeside } from "@kedge/protocol/text-file";

export function welcomeText(configurationFile: string): string {
  return textBeside(import.meta.url, "../texts/welcome.md").replace("{config}", configurationFile);
}
