/** Prompts of connected servers as commands that users type. */
import type { LocalCommand } from "@kedge/engine";
import { neutraliseText } from "@kedge/memory";
import { stripTerminalControls } from "@kedge/protocol";
import type { OpenedMcp } from "./open-mcp.ts";

const promptMs = 60_000;

/** The user asked for the text, so it is a prompt; but nothing in it can pass for kedge's own words. */
export function promptCommands({ prompts }: Pick<OpenedMcp, "prompts">): readonly LocalCommand[] {
  return prompts().map(({ name, description, argumentHint, fill }) => ({
    name,
    summary: stripTerminalControls(description),
    ...(argumentHint !== undefined && { argumentHint: stripTerminalControls(argumentHint) }),
    async run(argument) {
      const filled = await fill(argument, AbortSignal.timeout(promptMs));
      return filled.ok ? { prompt: neutraliseText(filled.text, "queued") } : { text: filled.sentence };
    },
  }));
}
