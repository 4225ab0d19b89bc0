/** Reads a typed answer to a permission question. */
import {
  isJsonObject,
  type JsonObject,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRequest,
} from "@kedge/protocol";

export type AnswerOptions = {
  /** The mode in force, where the answer may change it. */
  readonly mode?: PermissionMode;
};

export type TypedAnswer = PermissionAnswer & { readonly mode?: PermissionMode };

/**
 * Undefined when the line is no answer; nothing is ever permitted by a guess. A changed command keeps what else the input
 * of the call says.
 */
export function parsePermissionAnswer(
  line: string,
  request: PermissionRequest,
  options: AnswerOptions = {},
): TypedAnswer | undefined {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const message = rest.join(" ");
  const isLasting = message === "" && request.always.length > 0 && !request.isIrreversible;
  switch (word.toLowerCase()) {
    case "":
      return request.isIrreversible ? { reply: "reject" } : undefined;
    case "y":
    case "yes":
      return message === "" ? { reply: "once" } : undefined;
    case "s":
      return message === "" && offersAllEdits(request, options) ? { reply: "once", mode: "accept-edits" } : undefined;
    case "a":
    case "always":
      return isLasting ? { reply: "session" } : undefined;
    case "p":
    case "project":
      return isLasting && request.isSavable ? { reply: "project" } : undefined;
    case "e":
      return editedAnswer(line.trim().slice(word.length).trim(), commandInput(request));
    case "n":
    case "no":
      return message === "" ? { reply: "reject" } : { reply: "reject", message };
    default:
      return undefined;
  }
}

/** An edit that only waits for a general yes, where the mode can still give it. */
export function offersAllEdits({ permission, always, isIrreversible }: PermissionRequest, { mode }: AnswerOptions) {
  return mode === "default" && permission === "edit" && always.length > 0 && isIrreversible !== true;
}

/** Only of this tool is it known that what it is given as `command` is what runs. */
const shellTool = "bash";

/** The input of a call that runs one command, which a person may rewrite; undefined for others. */
export function commandInput({ tool, inputText = "" }: PermissionRequest): JsonObject | undefined {
  if (tool !== shellTool) return undefined;
  try {
    const input: unknown = JSON.parse(inputText);
    if (!isJsonObject(input) || typeof input["command"] !== "string") return undefined;
    // It was just parsed from JSON, so every member is JSON.
    return input as JsonObject;
  } catch {
    // Without the whole input there is nothing to change.
    return undefined;
  }
}

function editedAnswer(command: string, input: JsonObject | undefined): PermissionAnswer | undefined {
  if (command === "" || input === undefined) return undefined;
  return { reply: "once", updatedInput: { ...input, command } };
}
