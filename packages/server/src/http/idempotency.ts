/** Carries out a request once, however often it is sent with the same key, and answers it the same. */
import { createHash } from "node:crypto";
import { headerNames } from "@kedge/protocol";
import type { MiddlewareHandler } from "hono";
import { answerText } from "./answer-json.ts";
import { ProblemError } from "./failure-status.ts";
import type { ServerEnvironment } from "./server-environment.ts";

export const keyLifeMs = 10 * 60_000;
export const keysMax = 1000;
const keptBytesMax = 32 * 1024 * 1024;
const keyCharactersMax = 255;

const changing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

type Kept = { readonly status: number; readonly text: string; readonly contentType: string };

type Entry = {
  readonly bodyDigest: string;
  /** Undefined when the request failed: nothing was carried out, and it may be tried again. */
  readonly answer: Promise<Kept | undefined>;
  /** Absent while it is being carried out; until then it is never forgotten. */
  settled?: { readonly at: number; readonly bytes: number };
};

export function createIdempotency(now: () => number): MiddlewareHandler<ServerEnvironment> {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  /** The oldest first. */
  function forgetOld(): void {
    for (const [name, { settled }] of entries) {
      if (settled === undefined) continue;
      if (now() - settled.at < keyLifeMs && entries.size < keysMax && bytes <= keptBytesMax) continue;
      bytes -= settled.bytes;
      entries.delete(name);
    }
  }

  return async (context, next) => {
    const { req } = context;
    const key = req.header(headerNames.idempotencyKey);
    if (key === undefined || !changing.has(req.method)) return next();
    if (key === "" || key.length > keyCharactersMax) throw badKey(`must have 1 to ${keyCharactersMax} characters`, 400);
    const { by, name: caller, scope } = context.env.caller;
    const directory = req.header(headerNames.directory) ?? "";
    const name = JSON.stringify([by, caller, scope, directory, req.method, req.url, key]);
    const bodyDigest = createHash("sha256").update(context.get("bodyText")).digest("hex");
    forgetOld();
    for (let known = entries.get(name); known !== undefined; known = entries.get(name)) {
      if (known.bodyDigest !== bodyDigest) throw badKey("was used for another body", 409);
      const kept = await known.answer;
      if (kept === undefined) continue;
      const headers = { "content-type": kept.contentType, "idempotency-replayed": "true" };
      return answerText(kept.text, headers, kept.status);
    }
    if (entries.size >= keysMax) throw badKey("arrived while too many others are in progress", 429);
    const answered = Promise.withResolvers<Kept | undefined>();
    const entry: Entry = { bodyDigest, answer: answered.promise };
    entries.set(name, entry);
    let kept: Kept | undefined;
    try {
      await next();
      if (context.res.ok) {
        kept = {
          status: context.res.status,
          text: await context.res.clone().text(),
          contentType: context.res.headers.get("content-type") ?? "application/json",
        };
      }
    } finally {
      if (kept === undefined) entries.delete(name);
      else {
        entry.settled = { at: now(), bytes: Buffer.byteLength(kept.text) };
        bytes += entry.settled.bytes;
      }
      answered.resolve(kept);
    }
  };
}

function badKey(what: string, status: 400 | 409 | 429): ProblemError {
  const message = `The idempotency key ${what}.`;
  return new ProblemError({ status, code: "idempotency_key", message, recovery: "Send a new key." });
}
