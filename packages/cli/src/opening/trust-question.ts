/** Asks whether a project is trusted, with all that it brings in sight; anything but a clear yes is a no. */

import { createInterface } from "node:readline/promises";
import { describeInput, type ProjectInput } from "@kedge/host";
import { showTerminalControls } from "@kedge/protocol";
import { writeResult } from "../output.ts";
import { trustTexts } from "../texts/opening.ts";
import type { TrustQuestion, UnknownTrust } from "./establish-trust.ts";

const shownMax = 40;

export const askForTrust: TrustQuestion = async (root, trust) => {
  writeResult(await trustText(root, trust));
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await reader.question(trustTexts.question)).trim().toLowerCase();
    return answer === "y" || answer === "yes" ? "trusted" : "refused";
  } catch {
    // Ctrl+C or the end of input is no answer; the next start asks again.
    return undefined;
  } finally {
    reader.close();
  }
};

/** One line for each thing that the project brings, or for each that changed since the last answer. */
export async function trustLines(root: string, { inputs, changes }: UnknownTrust) {
  const isChanged = changes.length > 0;
  const lines = await Promise.all(
    isChanged
      ? changes.map(async ({ name, change }) => `${change} ${name}${await kindOf(name, root, inputs)}`)
      : inputs.map(async (input) => `${input.name} (${await describeInput(root, input)})`),
  );
  return { isChanged, lines };
}

export async function trustText(root: string, trust: UnknownTrust): Promise<string> {
  const { isChanged, lines } = await trustLines(root, trust);
  const heading = isChanged ? trustTexts.changedSince(root) : trustTexts.canRunCode(root);
  const shown = lines.slice(0, shownMax).map((line) => `  ${onOneLine(line)}\n`);
  const more = lines.length > shownMax ? [trustTexts.more(lines.length - shownMax)] : [];
  const meaning = trustTexts.meaning;
  return [`${showTerminalControls(heading)}\n`, ...shown, ...more, `${meaning}\n`].join("");
}

/** A name with a line end in it could pass for a line of ours. */
export function onOneLine(text: string): string {
  return showTerminalControls(text).replaceAll("\n", "␊");
}

async function kindOf(name: string, root: string, inputs: readonly ProjectInput[]): Promise<string> {
  const input = inputs.find((each) => each.name === name);
  return input === undefined ? "" : ` (${await describeInput(root, input)})`;
}
