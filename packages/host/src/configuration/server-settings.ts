/** The settings of the server: where it listens, who may call it from where, and whether it has terminals. */
import { flag, list, number, object, said, text } from "./checks.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";

export type ServerSettings = {
  readonly port?: number;
  /** Names by which it may be called beside its own, such as that of a proxy in front. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** Directories in which other places of work may lie. */
  readonly roots: readonly string[];
  readonly pty: boolean;
  readonly requireAuth?: boolean;
  /** Origins of push services beside those of the browsers. */
  readonly pushServices: readonly string[];
};

const usual = { hosts: [], origins: [], roots: [], pty: true, pushServices: [] } as const satisfies ServerSettings;

const portMax = 65_535;

export const serverSettings: SettingDeclarations = {
  server: {
    check: object({
      port: said("Server port; default: derived from the directory.", number({ min: 0, max: portMax })),
      hosts: said("Additional host names the server accepts.", list(text), usual.hosts),
      origins: said("Additional web origins allowed to call the server.", list(text), usual.origins),
      roots: said("Additional directories the server may work in.", list(text), usual.roots),
      pty: said("Let clients open terminals.", flag, usual.pty),
      pushServices: said(
        "Additional push services that may be sent notifications, as origins.",
        list(text),
        usual.pushServices,
      ),
      requireAuth: said("Refuse --no-auth; for managed policies.", flag, false),
    }),
    project: ignored("a project may not open access to your machine"),
    sources: ["user", "policy"],
    counts: "at start",
  },
};

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readServerSettings(value: unknown): ServerSettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usual, ...Object.fromEntries(given) };
}
