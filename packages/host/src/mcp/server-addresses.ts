/** Which addresses servers may be asked at. */
import type { McpServer } from "@kedge/extend/mcp-servers";
import { judgeUrl } from "@kedge/sandbox";
import { isLoopback } from "../machine/is-loopback.ts";

/** Why not, as a sentence part. Loopback is what servers under development use. */
export function refuseServerAddress(
  { scope }: Pick<McpServer, "scope">,
  url: string,
  addresses?: readonly string[],
): string | undefined {
  if (addresses === undefined) {
    const named = judgeUrl({ url });
    return named.verdict === "allow" ? undefined : named.why;
  }
  if (addresses.length > 0 && addresses.every(isLoopback)) return undefined;
  const verdict = judgeUrl({ url, addresses });
  if (verdict.verdict === "allow") return undefined;
  // A network of one's own is where companies have their servers; a project has no business there.
  const isOwn = scope === "user" || scope === "enterprise" || scope === "dynamic";
  return isOwn && addresses.length > 0 && addresses.every(isPrivate) ? undefined : verdict.why;
}

export type AddressJudge = (url: string, addresses?: readonly string[]) => string | undefined;

/**
 * Judges every address that is asked for one server. A server names further ones itself, such as who signs people in;
 * one elsewhere could send kedge to services of this machine and its network that way.
 */
export function createAddressJudge(server: Pick<McpServer, "scope" | "transport">): AddressJudge {
  const { transport } = server;
  const ownHost = "url" in transport ? URL.parse(transport.url)?.hostname : undefined;
  /** Known with the first look-up of its own name; a proxy tells nobody. */
  let isServerNear = false;
  return (url, addresses) => {
    const why = refuseServerAddress(server, url, addresses);
    if (why !== undefined || addresses === undefined) return why;
    const isNear = addresses.some((address) => isLoopback(address) || isPrivate(address));
    const { hostname } = new URL(url);
    if (hostname === ownHost) isServerNear = isNear;
    else if (isNear && !isServerNear) return `${hostname} is on this machine or its network, and the server is not`;
    return undefined;
  };
}

/** The networks of RFC 1918 and unique local addresses; metadata services of clouds are in none of them but one. */
function isPrivate(address: string): boolean {
  if (/^fd00:ec2:/i.test(address)) return false;
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address) || /^f[cd][0-9a-f]{2}:/i.test(address);
}
