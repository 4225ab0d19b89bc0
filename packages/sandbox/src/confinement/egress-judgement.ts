/** Judges whether a confined command may reach a host: by the list the user wrote, then by every address of its name. */
import { isIP } from "node:net";
import { judgeUrl, type UrlVerdict } from "../address-judgement.ts";

export type EgressQuestion = {
  readonly scheme: "http" | "https";
  /** As it stands in the request, with its port. */
  readonly authority: string;
  /** Left out before the name was looked up. */
  readonly addresses?: readonly string[];
  /** `host` for the usual ports of the web, or `host:port`; a host may begin with `*.` for every name below it. */
  readonly allowedHosts: readonly string[];
  /** A person said yes to this authority, just now. */
  readonly isPermitted?: boolean;
};

const webPorts: ReadonlySet<string> = new Set(["80", "443"]);

/**
 * Pure. A private address is allowed only where the list names this very host with this very port, or where a person
 * saw this very address: behind a name that was permitted there may be any.
 */
export function judgeEgress({ scheme, authority, addresses, ...question }: EgressQuestion): UrlVerdict {
  const port = /:(\d+)$/.exec(authority)?.[1] ?? (scheme === "https" ? "443" : "80");
  if (question.isPermitted) {
    const named = [`${hostIn(authority)}:${port}`];
    const policy = { onlyHosts: named, allowHosts: isIP(bare(hostIn(authority))) === 0 ? [] : named };
    return judgeUrl({ url: `${scheme}://${authority}/`, policy, ...(addresses && { addresses }) });
  }
  const { allowedHosts } = question;
  const onlyHosts = allowedHosts.filter((entry) => hasPort(entry) || webPorts.has(port));
  const allowHosts = allowedHosts.filter((entry) => hasPort(entry) && !entry.startsWith("*."));
  return judgeUrl({
    url: `${scheme}://${authority}/`,
    policy: { onlyHosts, allowHosts },
    ...(addresses && { addresses }),
  });
}

/** As a rule names it: with the port where it is not one of the web. */
export function hostPattern(authority: string): string {
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined || webPorts.has(port) ? hostIn(authority) : authority;
}

const hostIn = (authority: string) => authority.replace(/:\d+$/, "");
const bare = (host: string) => host.replace(/^\[|\]$/g, "");

function hasPort(entry: string): boolean {
  // An IPv6 address without brackets has colons but no port.
  return /^[^:]+:\d+$|\]:\d+$/.test(entry);
}
