/** Judges the head of a request by itself: its target, its method and the body it announces. */
import type { IncomingMessage } from "node:http";
import { routeOf } from "@kedge/protocol";
import { commandRows, promptRunRow } from "@kedge/protocol/rows";
import type { Caller, Refusal } from "./admissions.ts";

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const bodyBytesMax = 10 * 1024 * 1024;
/** For what carries pictures and documents. */
const fileBodyBytesMax = 50 * 1024 * 1024;

/** For what nobody in particular may send: a code, and little around it. */
const openBodyBytesMax = 1024;

const fileRoutes = [promptRunRow, commandRows["prompt.submit"], commandRows["message.add"]].map((row) =>
  routeOf(row).path.split("/"),
);

/** Steps that a reader of addresses takes out, and a slash that it turns: what is checked here would not be what is meant. */
const otherPath = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The path alone: what follows it may hold a ticket, and belongs into no log. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "").split("?", 1)[0] ?? "";
}

/** What another program on the way could read otherwise than we do is refused, whoever sends it. */
export function judgeTarget(
  request: IncomingMessage,
  { isUpgrade }: { readonly isUpgrade: boolean },
): Refusal | undefined {
  const { method = "", url = "" } = request;
  if (!methods.some((known) => known === method)) {
    const headers = { allow: methods.join(", ") };
    return { status: 405, code: "method_not_allowed", message: `Unknown method ${method}.`, headers };
  }
  if (request.httpVersion !== "1.1" && request.httpVersion !== "1.0") {
    return bad("bad_version", "This server speaks HTTP/1.1.");
  }
  if (!url.startsWith("/") || url.startsWith("//")) {
    return bad("bad_target", "The request target must be a path that starts with one slash.");
  }
  if (otherPath.test(pathOf(request))) {
    return bad("bad_target", "The request target must not contain .. segments.");
  }
  if (count(request, "host") !== 1) return bad("bad_host", "A request must have exactly one Host header.");
  if (!isUpgrade) return undefined;
  if (method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") {
    return bad("bad_upgrade", "Only a GET request can be upgraded, and only to a WebSocket.");
  }
  return announcesBody(request) ? bad("unexpected_body", "A WebSocket request must not have a body.") : undefined;
}

/** Bodies must say how long they are, so that none has to be read to find it too long. */
export function judgeBody(request: IncomingMessage, { by }: Pick<Caller, "by">): Refusal | undefined {
  const { headers, method } = request;
  if (headers["transfer-encoding"] !== undefined) {
    return { status: 411, code: "length_required", message: "Send the body with a Content-Length, not chunked." };
  }
  if (!announcesBody(request)) return undefined;
  if (method === "GET") return bad("unexpected_body", "A GET request must not have a body.");
  const length = Number(headers["content-length"]);
  if (!Number.isSafeInteger(length)) return bad("bad_length", "Content-Length is not a number.");
  const knownBytesMax = takesFiles(pathOf(request)) ? fileBodyBytesMax : bodyBytesMax;
  const bytesMax = by === "nobody" ? openBodyBytesMax : knownBytesMax;
  if (length > bytesMax) {
    const message = `The body has ${length} bytes; the limit is ${bytesMax}.`;
    return { status: 413, code: "body_too_large", message };
  }
  const isJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(headers["content-type"] ?? "");
  const isPacked = (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
  if (isJson && !isPacked) return undefined;
  const message = "Send the body as uncompressed UTF-8 JSON with Content-Type application/json.";
  return { status: 415, code: "unsupported_body", message };
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || !["0", undefined].includes(headers["content-length"]);
}

function takesFiles(path: string): boolean {
  const words = path.split("/");
  return fileRoutes.some(
    (route) =>
      route.length === words.length && route.every((word, index) => word.startsWith(":") || word === words[index]),
  );
}

/** In the raw list, because a second host is already left out of the other one. */
function count({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function bad(code: string, message: string): Refusal {
  return { status: 400, code, message };
}
