/** The variables by which programs learn of the proxy of a sandbox, and of no other one. */
import { bridgePort } from "./private-network.ts";

const direct = "localhost,127.0.0.1,::1";

/** The word says which command asks: programs send it on as the password of a proxy. */
function proxyVariables(word: string): Readonly<Record<string, string>> {
  const proxy = `http://command:${word}@127.0.0.1:${bridgePort}`;
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: direct,
    // Without it Node looks at none of them.
    NODE_USE_ENV_PROXY: "1",
  };
}

const proxyNames: ReadonlySet<string> = new Set(Object.keys(proxyVariables("")));

const temporaryVariables = { TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" };

/** A proxy of the host is out of reach inside, and its address may hold a password. */
export function confinedEnvironment(
  environment: Readonly<Record<string, string>>,
  { word }: { readonly word?: string },
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !proxyNames.has(name));
  return { ...Object.fromEntries(kept), ...(word === undefined ? {} : proxyVariables(word)), ...temporaryVariables };
}
