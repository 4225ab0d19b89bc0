/** The settings of sharing: never read from a project, because they say where work of the user is sent. */
import { isJsonObject, relayAddress } from "@kedge/protocol";
import { flag, object, said, satisfies, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type CollabSettings = {
  readonly isEnabled: boolean;
  readonly relayUrl?: string;
  /** The user of the operating system without it. */
  readonly displayName?: string;
  /** Guests see that something waits for the host, and not what. */
  readonly hidesPermissions: boolean;
};

export type ShareSettings = {
  readonly isEnabled: boolean;
  readonly serverUrl?: string;
  readonly redactsSecrets: boolean;
};

const relay = satisfies(
  "the address of a relay, such as wss://relay.example.com (ws:// only for this machine)",
  { type: "string" },
  (value) => typeof value === "string" && relayAddress(value) !== undefined,
);

const because = "only you decide where your sessions are sent";

export const collabSettings: SettingDeclarations = {
  collab: {
    check: object({
      enabled: said("Allow live sharing of sessions.", flag, true),
      relayUrl: said("Relay for live sharing; required to share sessions.", relay),
      displayName: said("Your name in shared sessions; default: your user name.", text),
      hidePermissions: said("Show guests that a permission question is open, without its contents.", flag, false),
    }),
    project: ignored(because),
    sources: ["user", "policy"],
    counts: "at once",
  },
  share: {
    check: object({
      enabled: said("Allow uploading copies of sessions.", flag, true),
      serverUrl: said("Relay that stores uploaded copies; required to upload.", relay),
      redactSecrets: said("Redact secrets in uploaded copies.", flag, true),
    }),
    project: ignored(because),
    sources: ["user", "policy"],
    counts: "at once",
  },
};

/** Every value was checked when its file was read. */
export function readCollabSettings(value: unknown): CollabSettings {
  const given = isJsonObject(value) ? value : {};
  const relayUrl = relayOf(given["relayUrl"]);
  const { displayName } = given;
  return {
    isEnabled: given["enabled"] !== false,
    ...(relayUrl !== undefined && { relayUrl }),
    ...(typeof displayName === "string" && { displayName }),
    hidesPermissions: given["hidePermissions"] === true,
  };
}

export function readShareSettings(value: unknown): ShareSettings {
  const given = isJsonObject(value) ? value : {};
  const serverUrl = relayOf(given["serverUrl"]);
  return {
    isEnabled: given["enabled"] !== false,
    ...(serverUrl !== undefined && { serverUrl }),
    redactsSecrets: given["redactSecrets"] !== false,
  };
}

function relayOf(value: unknown): string | undefined {
  return typeof value === "string" ? relayAddress(value) : undefined;
}
