/** The variables by which programs learn of the proxy of a sandbox, and of no other one. */
import { bridgePort } from "./private-network.ts";

const proxy = `http://127.0.0.1:${bridgePort}`;
const direct = "localhost,127.0.0.1,::1";

const proxyVariables: Readonly<Record<string, string>> = {
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

const temporaryVariables = { TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" };

/** A proxy of the host is out of reach inside, and its address may hold a password. */
export function confinedEnvironment(
  environment: Readonly<Record<string, string>>,
  { hasProxy }: { readonly hasProxy: boolean },
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !(name in proxyVariables));
  return { ...Object.fromEntries(kept), ...(hasProxy ? proxyVariables : {}), ...temporaryVariables };
}
