/** The input of a call that runs one command, which a person may write again. */
import { isJsonObject, type JsonObject, type PermissionRequest } from "@kedge/protocol";

export type CommandInput = JsonObject & { readonly command: string };

/** Only of this tool is it known that what it is given as `command` is what runs. */
const shellTool = "bash";

/** Undefined for other calls, and where the request does not hold the whole input. */
export function commandInput({ tool, inputText = "" }: PermissionRequest): CommandInput | undefined {
  if (tool !== shellTool) return undefined;
  try {
    const input: unknown = JSON.parse(inputText);
    if (!isJsonObject(input) || typeof input["command"] !== "string") return undefined;
    // It was just parsed from JSON, so every member is JSON, and the command was looked at.
    return input as CommandInput;
  } catch {
    // Without the whole input there is nothing to change.
    return undefined;
  }
}
