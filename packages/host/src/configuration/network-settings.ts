/** The settings about what kedge itself reaches over the network: proxy, authorities, and the search service. */
import { isJsonObject } from "@kedge/protocol";
import { checkWith, object, oneOf, problem, said, secretText, text, webAddress } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

const backendFields = object({
  kind: said("The kind of service.", oneOf(["searxng", "brave"])),
  url: said("Where the service is, without the path of its searches.", webAddress),
  apiKey: said("The key of the service.", secretText),
});

/** The whole of it: half a backend would fail with the first search. */
const searchBackend = checkWith(
  () => ({ ...backendFields.schema(), required: ["kind", "url"] }),
  (value, path) => {
    const wrong = backendFields(value, path);
    if (wrong.length > 0 || !isJsonObject(value)) return wrong;
    const missing = ["kind", "url"].find((name) => value[name] === undefined || value[name] === null);
    return missing === undefined ? [] : [problem(`${path}.${missing}`, "given with the other", undefined)];
  },
);

export const networkSettings: SettingDeclarations = {
  web: {
    check: object({ search: said("The service behind websearch; without it there is none.", searchBackend) }),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "on reload",
  },
  network: {
    check: object({
      proxy: said("An http or https proxy, stronger than HTTPS_PROXY and its kin.", webAddress),
      caFile: said("A PEM file of authorities that are trusted besides the usual ones.", text),
    }),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "at start",
  },
};
