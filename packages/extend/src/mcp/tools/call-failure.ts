/** What the model reads of a call that failed: server and tool, what can be done, and nothing of the server's insides. */
import { ProtocolError, SdkError, SdkErrorCode, UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { isExpired } from "../connection/connect-failure.ts";
import { messageBytesMax, tooLong } from "../connection/limits.ts";
import { noAnswer, noMessage } from "../connection/read-message.ts";
import { describeState, type McpServerState } from "../connection/server-state.ts";
import { type Page, webAddress } from "../offers/ask-to-open.ts";
import { pagesOf } from "./url-questions.ts";

const messageCharactersMax = 500;
const hostsMax = 3;

export function describeUnavailable(server: string, state: McpServerState): string {
  switch (state.state) {
    case "needs-auth":
      return `The MCP server ${server} needs a sign-in. Tell the user to run: kedge mcp auth ${server}. Continue without it.`;
    case "disabled":
    case "pending":
      return `The MCP server ${server} is ${describeState(state)}. Continue without it.`;
    case "failed":
      return `The MCP server ${server} failed${state.isQuoted ? "" : `: ${state.error}`}. Tell the user to run: kedge mcp logs ${server}. Continue without it.`;
    case "connected":
      return `The MCP server ${server} cannot be reached now. Continue without it, or try again later.`;
  }
}

export type FailedCall = {
  readonly server: string;
  readonly tool: string;
  readonly timeoutMs: number;
  /** What became of the server meanwhile. */
  readonly state: McpServerState;
};

/** Ours alone; what the server says is fenced by whoever shows it. */
export function describeCallFailure(
  error: unknown,
  { server, tool, timeoutMs, state }: FailedCall,
): { readonly says: string; readonly data?: string } {
  const of = `${tool} of the MCP server ${server}`;
  if (isOf(error, noAnswer)) return { says: `${of} did not finish: ${noAnswer}. Whether it had an effect is unknown.` };
  if (isOf(error, tooLong) || (isExpired(error) && state.state === "failed" && state.error === tooLong))
    return {
      says: `${of} answered with more than ${messageBytesMax / 1_048_576} MB, which is not read. Ask for less.`,
    };
  if (isExpired(error))
    return {
      says: `${of} did not finish: the server may have crashed or restarted. Whether it had an effect is unknown.`,
    };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { says: `${of} did not respond within ${Math.round(timeoutMs / 1_000)} s.` };
  if ((error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) || isOf(error, noMessage))
    return { says: `${of} returned an invalid result.` };
  if (error instanceof UrlElicitationRequiredError)
    return {
      says: `${of} needs the user to open a page at ${hostsOf(pagesOf(error))} first. The user declined, or no one can answer here. Continue without it.`,
    };
  if (error instanceof ProtocolError)
    return { says: `${of} refused the call (code ${error.code}).`, data: withoutPaths(error.message) };
  return { says: `${of} failed.` };
}

/** Of the addresses only the hosts, which have no room for words. */
function hostsOf(pages: readonly Page[]): string {
  const hosts = new Set(pages.flatMap(({ url }) => webAddress(url)?.host ?? []));
  return hosts.size === 0 ? "an address that is not a web page" : [...hosts].slice(0, hostsMax).join(", ");
}

/** The library puts words before ours. */
function isOf(error: unknown, sentence: string): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (each.message.endsWith(sentence)) return true;
  return false;
}

/** Where things lie on the machine of a server is nobody's business. */
function withoutPaths(message: string): string {
  return message
    .replace(/^MCP error -?\d+: /, "")
    .replaceAll(/(?:[A-Za-z]:)?(?:[\\/][\w.@-]+){2,}/g, "…")
    .slice(0, messageCharactersMax);
}
