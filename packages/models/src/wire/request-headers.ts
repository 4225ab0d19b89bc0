/** The header lines of requests, put together once and again only when a wire asks for others. */
import type { WireRequest } from "./request-body.ts";

export type HeaderFields = { readonly [name: string]: string };

/** Names and values in turn. */
export type RequestHeaders = (request: WireRequest) => readonly string[];

export type HeaderSources = {
  readonly host: string;
  readonly wire: HeaderFields | ((request: WireRequest) => HeaderFields);
  /** Takes the place of what the wire says. */
  readonly user: HeaderFields;
  readonly identity?: Identity;
};

/** How kedge names itself to a vendor; a header of the wire or the user takes the place of one of these. */
export type Identity = {
  readonly headers: HeaderFields;
  /** Whether requests name their session too. */
  readonly namesSession: boolean;
};

export const sessionHeader = "x-kedge-session-id";

/** Undefined for questions on the side, which make up a conversation of their own. */
export function sessionOf({ conversationId, requestId }: WireRequest): string | undefined {
  return conversationId === requestId ? undefined : conversationId;
}

const streamType = "text/event-stream";
const wholeType = "application/json";

export function createRequestHeaders({ host, wire, user, identity }: HeaderSources): RequestHeaders {
  let known: { readonly fields: HeaderFields; readonly lines: readonly string[] } | undefined;

  function compose(fields: HeaderFields, accept: string): readonly string[] {
    return Object.entries({
      host,
      "content-type": "application/json",
      accept,
      ...identity?.headers,
      ...fields,
      ...user,
    }).flat();
  }

  function linesOf(request: WireRequest): readonly string[] {
    const fields = typeof wire === "function" ? wire(request) : wire;
    if (request.whole === true) return compose(fields, wholeType);
    if (known?.fields !== fields) known = { fields, lines: compose(fields, streamType) };
    return known.lines;
  }

  return (request) => {
    const lines = [...linesOf(request), "x-client-request-id", request.requestId];
    const session = identity?.namesSession === true ? sessionOf(request) : undefined;
    if (session !== undefined) lines.push(sessionHeader, session);
    if (request.headers === undefined) return lines;
    const taken = new Set(lines.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    const added = Object.entries(request.headers).filter(([name]) => !taken.has(name.toLowerCase()));
    return [...lines, ...added.flat()];
  };
}
