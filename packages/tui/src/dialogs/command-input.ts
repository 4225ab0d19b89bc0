/** The input of a call that runs one command, which a person may write anew. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";

export type CommandInput = JsonObject & { readonly command: string };

/** Undefined for other calls, and for what is no JSON. */
export function commandInput(inputText: string | undefined): CommandInput | undefined {
  try {
    const input: unknown = JSON.parse(inputText ?? "");
    if (!isJsonObject(input) || typeof input["command"] !== "string") return undefined;
    // It was just parsed from JSON, so every member is JSON, and the command was looked at.
    return input as CommandInput;
  } catch {
    // A model may write what is no JSON; then there is nothing to change.
    return undefined;
  }
}
