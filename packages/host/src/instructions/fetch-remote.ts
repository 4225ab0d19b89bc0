/** Fetches an instruction text from the network, within narrow limits and from public addresses alone. */
import { judgeUrl } from "@kedge/sandbox";
import { fetchPage, readWebAddress, type WebParts } from "@kedge/tools";

export type RemoteText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

export type FetchRemote = (url: string) => Promise<RemoteText>;

/** The judge of addresses and the look-up of names are the machine's own if left out. */
export type RemoteParts = Pick<WebParts, "now"> & Partial<Pick<WebParts, "judgeAddress" | "lookUp" | "ca">>;

const bytesMax = 256 * 1024;
const timeoutMs = 5_000;
const hostsMax = 3;
const atOnceMax = 4;

export function createFetchRemote(parts: RemoteParts): FetchRemote {
  const { judgeAddress = (url, addresses) => judgeUrl({ url, ...(addresses !== undefined && { addresses }) }) } = parts;
  const web: WebParts = { ...parts, judgeAddress };
  return async (address) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let target = address;
    for (let hosts = 0; hosts <= hostsMax; hosts += 1) {
      // Encryption is not up to whoever answers.
      if (!target.startsWith("https://")) return refused(`${target} is not an https URL`);
      const read = readWebAddress(target, judgeAddress);
      if (!read.ok) return refused(read.problem);
      const fetched = await fetchPage(read.url, web, signal);
      if (fetched.kind === "failed") return refused(signal.aborted ? "no answer within 5 seconds" : fetched.problem);
      if (fetched.kind === "page") return textOf(fetched.page);
      target = fetched.to;
    }
    return refused(`it redirects more than ${hostsMax} times`);
  };
}

/** A few at a time, in the order given. */
export async function fetchAll(urls: readonly string[], fetchRemote: FetchRemote): Promise<readonly RemoteText[]> {
  const texts: RemoteText[] = [];
  for (let index = 0; index < urls.length; index += atOnceMax) {
    texts.push(...(await Promise.all(urls.slice(index, index + atOnceMax).map(fetchRemote))));
  }
  return texts;
}

function textOf({ contentType, body }: { readonly contentType: string; readonly body: Buffer }): RemoteText {
  if (!/^text\//i.test(contentType.trim())) return refused(`its type is ${contentType || "unknown"}, not text`);
  if (body.length > bytesMax) return refused(`it is larger than ${bytesMax / 1024} KB`);
  if (body.includes(0)) return refused("it is not a text");
  return { ok: true, text: body.toString("utf8") };
}

function refused(why: string): RemoteText {
  return { ok: false, why };
}
