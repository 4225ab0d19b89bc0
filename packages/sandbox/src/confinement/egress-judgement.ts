/** Judges whether a confined command may reach a host: by the list the user wrote, then by every address of its name. */
import { judgeUrl, type UrlVerdict } from "../address-judgement.ts";

export type EgressQuestion = {
  readonly scheme: "http" | "https";
  /** As it stands in the request, with its port. */
  readonly authority: string;
  /** Left out before the name was looked up. */
  readonly addresses?: readonly string[];
  /** `host` for the usual ports of the web, or `host:port`; a host may begin with `*.` for every name below it. */
  readonly allowedHosts: readonly string[];
};

const webPorts: ReadonlySet<string> = new Set(["80", "443"]);

/** Pure. A private address is allowed only where the list names this very host with this very port. */
export function judgeEgress({ scheme, authority, addresses, allowedHosts }: EgressQuestion): UrlVerdict {
  const port = /:(\d+)$/.exec(authority)?.[1] ?? (scheme === "https" ? "443" : "80");
  const onlyHosts = allowedHosts.filter((entry) => hasPort(entry) || webPorts.has(port));
  const allowHosts = allowedHosts.filter((entry) => hasPort(entry) && !entry.startsWith("*."));
  return judgeUrl({
    url: `${scheme}://${authority}/`,
    policy: { onlyHosts, allowHosts },
    ...(addresses && { addresses }),
  });
}

function hasPort(entry: string): boolean {
  // An IPv6 address without brackets has colons but no port.
  return /^[^:]+:\d+$|\]:\d+$/.test(entry);
}
