/** Judges whether a web address may be asked: its text, its name, and every address its name resolves to. */
import { isIP } from "node:net";
import { kindOfAddress } from "./address-ranges.ts";

/** Entries are `host` or `host:port`; a host may begin with `*.`, which stands for every name below it. */
export type UrlPolicy = {
  /** Allowed although they are private. */
  readonly allowHosts?: readonly string[];
  /** When given, nothing else is allowed; it opens nothing by itself. */
  readonly onlyHosts?: readonly string[];
};

export type UrlVerdict =
  | {
      readonly verdict: "allow";
      readonly why: string;
      /** The policy names this host, so it may also be spoken to without encryption. */
      readonly isNamed: boolean;
    }
  | { readonly verdict: "block"; readonly why: string };

export type UrlQuestion = {
  readonly url: string;
  /** All that the name resolves to; left out before it was looked up, when only the text can be judged. */
  readonly addresses?: readonly string[];
  readonly policy?: UrlPolicy;
};

/**
 * Pure. Whoever is allowed must connect to one of the very addresses that were judged, because the next look-up of the
 * same name may answer differently.
 */
export function judgeUrl({ url: text, addresses, policy = {} }: UrlQuestion): UrlVerdict {
  const oddness = describeOddness(text);
  if (oddness !== undefined) return block(oddness);
  const url = URL.parse(text);
  if (url === null) return block("it is not a valid URL");
  if (url.username !== "" || url.password !== "") return block("it contains a user name or password");
  const host = hostOf(url);
  if (host.split(".").includes("")) return block("its host name has an empty part");
  if (policy.onlyHosts !== undefined && !isListed(url, policy.onlyHosts))
    return block(`the policy allows certain hosts only, and ${host} is not among them`);

  const isNamed = isListed(url, policy.allowHosts ?? []);
  if (isIP(host) !== 0) {
    if (isNamed) return { verdict: "allow", why: `the policy lists ${host}`, isNamed };
    return judgeAddresses(host, [host], { isNamed });
  }
  if (!isNamed && isInwardName(host)) return block(`${host} is a name of this machine, of its network or its cloud`);
  if (addresses === undefined) return { verdict: "allow", why: `nothing suspicious in the URL of ${host}`, isNamed };
  if (addresses.length === 0) return block(`${host} has no address`);
  return judgeAddresses(host, addresses, { isNamed });
}

/** What a name answers when it is asked; a list of lists is what it answers one time after the other. */
export type DnsAnswers = { readonly [name: string]: readonly (string | readonly string[])[] };

export type UrlJourney = {
  readonly url: string;
  /** The `Location` values that follow one after the other. */
  readonly redirects?: readonly string[];
  readonly policy?: UrlPolicy;
  /** Undefined means that the look-up failed; then only the text is judged. */
  readonly lookUp: (name: string) => Promise<readonly string[] | undefined>;
};

const redirectsMax = 5;

/** Judges a URL with everything it redirects to; the first station that is blocked decides. */
export async function judgeUrlJourney({ url, redirects = [], policy, lookUp }: UrlJourney): Promise<UrlVerdict> {
  if (redirects.length > redirectsMax) return block(`it redirects more than ${redirectsMax} times`);
  let station = url;
  let verdict: UrlVerdict = block("it is not a valid URL");
  for (const location of [undefined, ...redirects]) {
    if (location !== undefined) {
      const oddness = describeOddCharacters(location);
      const next = URL.parse(location, station);
      if (oddness !== undefined || next === null) return block(`its redirection is refused: ${oddness ?? "no URL"}`);
      station = next.href;
    }
    const question = { url: station, ...(policy && { policy }) };
    verdict = judgeUrl(question);
    if (verdict.verdict === "block") return verdict;
    const host = hostOf(new URL(station));
    const addresses = isIP(host) === 0 ? await lookUp(host) : undefined;
    if (addresses !== undefined) verdict = judgeUrl({ ...question, addresses });
    if (verdict.verdict === "block") return verdict;
  }
  return verdict;
}

/** Every answer that may ever come counts, since a name that alternates is made to deceive. An absent name has none. */
export function lookUpIn(dns: DnsAnswers): (name: string) => Promise<readonly string[]> {
  const answers = new Map(Object.entries(dns).map(([name, list]) => [trimDot(name.toLowerCase()), list.flat()]));
  return async (name) => answers.get(trimDot(name.toLowerCase())) ?? [];
}

const urlCharactersMax = 8_192;

/** Programs disagree about such texts, so that one could check another host than the next one asks. */
function describeOddness(text: string): string | undefined {
  if (text.length > urlCharactersMax) return `it is longer than ${urlCharactersMax} characters`;
  const odd = describeOddCharacters(text);
  if (odd !== undefined) return odd;
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0].toLowerCase();
  if (scheme === undefined) return "it has no scheme; begin with https://";
  if (scheme !== "http:" && scheme !== "https:") return `only http and https are allowed, not ${scheme}`;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return "it has no host after //";
  if (authority.includes("@")) return "it contains a user name or password";
  return undefined;
}

function describeOddCharacters(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x20\x7f]/.test(text)) return "it contains whitespace or control characters";
  if (/^[^?#]*\\/.test(text)) return "it contains a backslash";
  return undefined;
}

function judgeAddresses(
  host: string,
  addresses: readonly string[],
  { isNamed }: { readonly isNamed: boolean },
): UrlVerdict {
  for (const address of addresses) {
    const kind = kindOfAddress(address);
    if (kind.kind === "public" || (kind.kind === "private" && isNamed)) continue;
    const subject = address === host ? address : `${host} resolves to ${address}, which`;
    return block(`${subject} is reserved for ${kind.use}`);
  }
  const why = isNamed ? `the policy lists ${host}` : `every address of ${host} is public`;
  return { verdict: "allow", why, isNamed };
}

/** Names that lead to this machine, to its network or to its cloud wherever they are looked up; with all below them. */
const inwardNames: readonly string[] = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
  "ip6-localhost",
  "ip6-loopback",
  "metadata.goog",
  "metadata.tencentyun.com",
  // They answer with the address that is written in the name, or always with loopback.
  "nip.io",
  "sslip.io",
  "xip.io",
  "traefik.me",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
];

/** A name without a dot is completed from the search list of the machine, so it always means a neighbour. */
function isInwardName(host: string): boolean {
  return !host.includes(".") || inwardNames.some((name) => host === name || host.endsWith(`.${name}`));
}

function isListed(url: URL, entries: readonly string[]): boolean {
  const host = hostOf(url);
  const port = portOf(url);
  return entries.some((entry) => {
    const isWide = entry.startsWith("*.");
    const rest = isWide ? entry.slice(2) : entry;
    // An IPv6 address is often written without brackets, but then it cannot have a port.
    const listed = URL.parse(`${url.protocol}//${isIP(rest) === 6 ? `[${rest}]` : rest}`);
    if (listed === null || listed.pathname !== "/") return false;
    const hasPort = /:\d+$/.test(rest) && isIP(rest) !== 6;
    if (hasPort && portOf(listed) !== port) return false;
    return isWide ? host.endsWith(`.${hostOf(listed)}`) : host === hostOf(listed);
  });
}

/** Without brackets and without the final dot, which changes nothing about where a name leads. */
function hostOf(url: URL): string {
  return trimDot(url.hostname.replace(/^\[|\]$/g, ""));
}

function trimDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

function portOf(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}

function block(why: string): UrlVerdict {
  return { verdict: "block", why };
}
