/** Sends an event to a hook that is a web address: one POST to the very address that was judged, no redirects. */
import { lookup } from "node:dns/promises";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { lookupAmong } from "@kedge/protocol";
import { connectionProblem } from "../connection-problem.ts";
import { trustedAuthorities } from "../trusted-authorities.ts";
import type { HookAction } from "./hook.ts";

const answerBytesMax = 1_024 * 1_024;

export type RequestParts = {
  /** Why the address may not be asked, given everything that its name resolves to; undefined when it may. */
  readonly refuseAddress: (url: string, addresses: readonly string[]) => string | undefined;
  /** The value of a variable that a header may name. */
  readonly variable: (name: string) => string | undefined;
  /** Certificates to trust beside those of the system. */
  readonly ca?: string;
  /** What is shown to a server that asks for a certificate, as PEM text. */
  readonly client?: { readonly cert: string; readonly key: string; readonly passphrase?: string };
};

export type Requested =
  | { readonly ok: true; readonly text: string }
  /** A sentence without a full stop, about the hook. */
  | { readonly ok: false; readonly problem: string };

export type RequestRun = {
  readonly action: Extract<HookAction, { type: "http" }>;
  readonly input: string;
  readonly timeoutMs: number;
};

export async function runRequest(run: RequestRun, parts: RequestParts, signal: AbortSignal): Promise<Requested> {
  const { url } = run.action;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = await addressesOf(host);
  if (addresses.length === 0) return { ok: false, problem: `${host} has no address` };
  const refusal = parts.refuseAddress(url, addresses);
  if (refusal !== undefined) return { ok: false, problem: `its URL is not allowed: ${refusal}` };
  // Connected to what was judged: the next look-up might answer otherwise.
  return post(run, { ...parts, address: addresses[0] ?? host }, signal);
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function post(
  { action, input, timeoutMs }: RequestRun,
  { address, variable, ca, client }: RequestParts & { readonly address: string },
  signal: AbortSignal,
): Promise<Requested> {
  const url = new URL(action.url);
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      {
        method: "POST",
        headers: { ...headersOf(action, variable), "content-type": "application/json" },
        lookup: lookupAmong([address]),
        signal: deadline,
        ...trustedAuthorities(ca),
        ...client,
      },
      (response) => {
        const { statusCode = 0 } = response;
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          bytes += piece.length;
          if (bytes <= answerBytesMax) pieces.push(piece);
          else {
            resolve({ ok: false, problem: "its response is larger than 1 MB" });
            response.destroy();
          }
        });
        response.on("error", (error) => resolve({ ok: false, problem: problemOf(error) }));
        response.on("end", () => {
          const isFine = statusCode >= 200 && statusCode < 300;
          if (isFine) resolve({ ok: true, text: Buffer.concat(pieces).toString("utf8") });
          else resolve({ ok: false, problem: `its URL responded with status ${statusCode}` });
        });
      },
    );
    const problemOf = (error: Error) => {
      if (signal.aborted) return "it was interrupted";
      return deadline.aborted
        ? `it did not respond within ${timeoutMs / 1_000} s`
        : connectionProblem(error, url.hostname);
    };
    outgoing.on("error", (error) => resolve({ ok: false, problem: problemOf(error) }));
    outgoing.end(input);
  });
}

/** A variable that is not allowed is empty. Nothing in a value can begin another header. */
function headersOf(
  { headers, allowedVariables }: RequestRun["action"],
  variable: RequestParts["variable"],
): { readonly [name: string]: string } {
  const filled = Object.entries(headers).map(([name, value]) => {
    const text = value.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
      const wanted = braced ?? bare ?? "";
      return allowedVariables.includes(wanted) ? (variable(wanted) ?? "") : "";
    });
    return [name, text.replaceAll(/[\r\n\0]/g, "")];
  });
  return Object.fromEntries(filled);
}
