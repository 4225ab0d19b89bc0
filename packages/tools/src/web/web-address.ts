/** Reads a web address as it will be asked for: judged by its text, encrypted where possible, in one spelling. */

export type AddressVerdict =
  | {
      readonly verdict: "allow";
      readonly why: string;
      /** The user's policy names the host, so it may be asked without encryption. */
      readonly isNamed: boolean;
    }
  | { readonly verdict: "block"; readonly why: string };

/** Without addresses the text alone is judged; with them, everything that the host's name resolves to. */
export type JudgeAddress = (url: string, addresses?: readonly string[]) => AddressVerdict;

export type WebAddress = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

export function readWebAddress(text: string, judge: JudgeAddress): WebAddress {
  const trimmed = text.trim();
  const verdict = judge(trimmed);
  const url = URL.parse(trimmed);
  if (verdict.verdict === "block" || url === null) {
    return { ok: false, problem: `${trimmed} may not be fetched: ${verdict.why}.` };
  }
  if (url.protocol === "http:" && !verdict.isNamed) url.protocol = "https:";
  // A rule about a host must also hold for the other spelling of its name.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  url.hash = "";
  return { ok: true, url };
}
