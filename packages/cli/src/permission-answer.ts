/** Reads a typed answer to a permission question. */
import type { PermissionReply, PermissionRequest } from "@kedge/protocol";

export type PermissionAnswer = { readonly reply: PermissionReply; readonly message?: string };

/** Undefined when the line is no answer; nothing is ever permitted by a guess. */
export function parsePermissionAnswer(line: string, request: PermissionRequest): PermissionAnswer | undefined {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const message = rest.join(" ");
  switch (word.toLowerCase()) {
    case "":
      return request.isIrreversible ? { reply: "reject" } : undefined;
    case "y":
    case "yes":
      return message === "" ? { reply: "once" } : undefined;
    case "a":
    case "always":
      return message === "" && request.always.length > 0 && !request.isIrreversible ? { reply: "session" } : undefined;
    case "n":
    case "no":
      return message === "" ? { reply: "reject" } : { reply: "reject", message };
    default:
      return undefined;
  }
}
