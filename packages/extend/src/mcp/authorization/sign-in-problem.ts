/** Why signing in to an MCP server did not work, as a sentence for a person. */

import { reasonOf, stripTerminalControls } from "@kedge/protocol";
import { OAuthError, SdkError } from "@modelcontextprotocol/client";

/** Thrown inside of this folder only; `sign-in.ts` and `renew-sign-in.ts` turn it into an outcome. */
export class SignInProblem extends Error {
  override readonly name = "SignInProblem";
}

const quotedCharactersMax = 200;

/** Words of a server, for a person: bounded, in one line, without control characters. */
export function quoted(text: string): string {
  const line = stripTerminalControls(text).replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > quotedCharactersMax ? `${line.slice(0, quotedCharactersMax)}…` : line);
}

/** A sentence about whatever the library or the network threw. Bugs are not caught here. */
export function problemSentence(error: unknown, host: string): string {
  if (error instanceof SignInProblem) return error.message;
  if (error instanceof OAuthError) return `${host} refused: ${quoted(error.message || error.code)}.`;
  if (error instanceof SdkError) return `${host} could not be used: ${quoted(error.message)}.`;
  if (error instanceof TypeError && error.cause !== undefined)
    return `${host} could not be reached: ${reasonOf(error.cause)}.`;
  if (error instanceof Error) return `${host} could not be used to sign in: ${quoted(error.message)}.`;
  throw error;
}
