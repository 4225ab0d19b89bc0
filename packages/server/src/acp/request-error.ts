/** The errors that answer a request of the editor: a number of the protocol, and a sentence with the next step. */
import type { RequestError } from "@agentclientprotocol/sdk";
import type { Failure, FailureCode } from "@kedge/protocol";
import { loadSdk } from "./load-sdk.ts";

const errorCodes = { invalidRequest: -32600, invalidParams: -32602, internal: -32603, authRequired: -32000 } as const;

export function requestError(kind: keyof typeof errorCodes, message: string, data?: unknown): RequestError {
  const { RequestError } = loadSdk();
  return new RequestError(errorCodes[kind], message, data);
}

export function unknownSession(sessionId: string): RequestError {
  return loadSdk().RequestError.sessionNotFound(sessionId);
}

/** With these an editor offers to sign in. */
const signInCodes: ReadonlySet<FailureCode> = new Set([
  "no_model",
  "invalid_api_key",
  "token_expired",
  "token_revoked",
  "auth_error",
]);

export function failureError(failure: Failure): RequestError {
  const { code, message, recovery, retryable } = failure;
  const text = recovery === undefined ? message : `${message} ${recovery}`;
  if (signInCodes.has(code)) return requestError("authRequired", text, { code, retryable });
  return requestError(code === "invalid_command" ? "invalidRequest" : "internal", text, { code, retryable });
}
