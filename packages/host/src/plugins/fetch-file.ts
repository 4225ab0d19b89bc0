/** Downloads one file for an installation: over https or from this machine, to the address that was judged, within a size. */
import { lookup } from "node:dns/promises";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { lookupAmong } from "@kedge/protocol";
import { judgeUrl } from "@kedge/sandbox";
import { isLoopback } from "../machine/is-loopback.ts";

export type FetchedFile = { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly why: string };

const timeoutMs = 5 * 60_000;
const redirectsMax = 5;

type Wanted = { readonly bytesMax: number; readonly ca?: string };

/**
 * Every address on the way is judged: what a catalogue names must not reach into a private network, and only an address
 * of this machine may lead to one of this machine.
 */
export async function fetchFile(url: string, wanted: Wanted, signal: AbortSignal): Promise<FetchedFile> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const mayBeLocal = isLoopback(hostOf(url)) || hostOf(url) === "localhost";
  let next = url;
  for (let count = 0; count <= redirectsMax; count += 1) {
    const answered = await ask(next, { ...wanted, mayBeLocal }, deadline);
    if (!("location" in answered)) return answered;
    const target = URL.parse(answered.location, next);
    if (target === null) return { ok: false, why: "it redirects without a target" };
    next = target.href;
  }
  return { ok: false, why: "it redirects too often" };
}

async function ask(
  text: string,
  { bytesMax, ca, mayBeLocal }: Wanted & { readonly mayBeLocal: boolean },
  signal: AbortSignal,
): Promise<FetchedFile | { readonly location: string }> {
  const url = new URL(text);
  const host = hostOf(text);
  const addresses = await addressesOf(host);
  const [address] = addresses;
  if (address === undefined) return { ok: false, why: `${host} has no address` };
  const isLocal = mayBeLocal && addresses.every(isLoopback);
  const verdict = isLocal ? undefined : judgeUrl({ url: text, addresses });
  if (verdict?.verdict === "block") return { ok: false, why: `${host} is not allowed: ${verdict.why}` };
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
    return { ok: false, why: `${text} is not https` };
  const pinned = lookupAmong([address]);
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve) => {
    const outgoing = request(url, { lookup: pinned, signal, ...(ca !== undefined && { ca }) }, (response) => {
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        return resolve({ location: headers.location });
      }
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
        if (bytes <= bytesMax) pieces.push(piece);
        else response.destroy(new Error(`it is larger than ${bytesMax / 1_048_576} MB`));
      });
      response.on("error", ({ message }) => resolve({ ok: false, why: message }));
      response.on("end", () => {
        if (statusCode === 200) resolve({ ok: true, bytes: Buffer.concat(pieces) });
        else resolve({ ok: false, why: `${host} answered with status ${statusCode}` });
      });
    });
    outgoing.on("error", ({ message }) => resolve({ ok: false, why: message }));
    outgoing.end();
  });
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
