/** The settings about what kedge itself reaches over the network: proxy, authorities, and the search service. */
import { isJsonObject } from "@kedge/protocol";
import type { NetworkSettings } from "../machine/network.ts";
import { checkWith, flag, object, oneOf, problem, said, secretText, text, webAddress } from "./checks.ts";
import { clientVariables, readVariable } from "./environment-settings.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

const backendFields = object({
  kind: said("Search service.", oneOf(["searxng", "brave"])),
  url: said("Base URL of the service.", webAddress),
  apiKey: said("API key of the service.", secretText),
});

/** The whole of it: half a backend would fail with the first search. */
const searchBackend = checkWith(
  () => ({ ...backendFields.schema(), required: ["kind", "url"] }),
  (value, path) => {
    const wrong = backendFields(value, path);
    if (wrong.length > 0 || !isJsonObject(value)) return wrong;
    const missing = ["kind", "url"].find((name) => value[name] === undefined || value[name] === null);
    return missing === undefined ? [] : [problem(`${path}.${missing}`, "set together with the other", undefined)];
  },
);

export const networkSettings: SettingDeclarations = {
  web: {
    check: object({ search: said("Service for websearch; without it, websearch is not available.", searchBackend) }),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "on reload",
  },
  network: {
    check: object({
      proxy: said("HTTP or HTTPS proxy; overrides HTTPS_PROXY and related variables.", webAddress),
      caFile: said("PEM file with additional trusted certificate authorities.", text),
      clientCert: said("PEM file with the client certificate for servers that require one.", text),
      clientKey: said("PEM file with the key of that certificate.", text),
      clientKeyPassphrase: said("Passphrase of the client key.", secretText),
      identify: said("Send kedge's version, interface and session id with model requests.", flag, true),
    }),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. `environment` gives nothing for what a policy has fixed. */
export function readNetworkSettings(
  value: unknown,
  environmentFor: (key: string) => { readonly [name: string]: string | undefined },
): NetworkSettings {
  const given = Object.entries(clientVariables).map(
    ([name, variable]) => [name, readVariable(variable, environmentFor(variable.key))] as const,
  );
  return {
    identify: true,
    ...(value as NetworkSettings | undefined),
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  };
}
