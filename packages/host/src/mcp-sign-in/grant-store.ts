/** Keeps grants of MCP servers: in the keyring of the system, or in a file that only its owner can read. */
import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Grant, type GrantStore, parseGrant } from "@kedge/extend/mcp-authorization";
import { changeCredentialFile, readCredentialFile } from "../credentials/credential-file.ts";
import type { Keyring } from "../credentials/keyring.ts";
import { whileHeld } from "../machine/file-lock.ts";

export const grantFileName = "mcp-credentials.json";

export type GrantStoreParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly keyring: Keyring;
};

export type KeptGrants = GrantStore & {
  list(): readonly { readonly serverUrl: string; readonly storage: "file" | "keyring" }[];
};

export function openGrantStore({ home, keyring }: GrantStoreParts): KeptGrants {
  const path = join(home, grantFileName);
  /** As it was read last; every request asks, and another process may have signed in meanwhile. */
  let known: { readonly mark: string; readonly grants: Map<string, Grant | undefined> } | undefined;
  const current = () => {
    const mark = markOf(path);
    if (known?.mark !== mark) known = { mark, grants: new Map() };
    return known.grants;
  };
  return {
    read(serverUrl) {
      const grants = current();
      if (!grants.has(serverUrl)) {
        const stored = readCredentialFile(path);
        const entry = Object.hasOwn(stored, serverUrl) ? stored[serverUrl] : undefined;
        const text = entry?.storage === "keyring" ? keyring.get(accountOf(serverUrl)) : entry?.key;
        grants.set(serverUrl, text === undefined ? undefined : parseGrant(text));
      }
      return grants.get(serverUrl);
    },
    write(serverUrl, grant) {
      if (grant === undefined) {
        changeCredentialFile(path, ({ [serverUrl]: removed, ...kept }) => {
          if (removed?.storage === "keyring") keyring.remove(accountOf(serverUrl));
          return kept;
        });
      } else {
        const key = JSON.stringify(grant);
        const isHeld = keyring.set(accountOf(serverUrl), key);
        // Written although it only names the keyring: other processes see by it that the grant is another one.
        changeCredentialFile(path, (stored) => ({
          ...stored,
          [serverUrl]: isHeld ? { storage: "keyring" } : { storage: "file", key },
        }));
      }
      known = undefined;
    },
    whileLocked(serverUrl, work) {
      const folder = join(home, "run");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return whileHeld(join(folder, `mcp-grant-${digestOf(serverUrl)}`), work);
    },
    list: () => Object.entries(readCredentialFile(path)).map(([serverUrl, { storage }]) => ({ serverUrl, storage })),
  };
}

/** Replaced as a whole with every change, so that another file means another content. */
function markOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? "" : `${status.ino} ${status.mtimeMs} ${status.size}`;
}

function accountOf(serverUrl: string): string {
  return `mcp ${serverUrl}`;
}

function digestOf(serverUrl: string): string {
  return createHash("sha256").update(serverUrl).digest("hex").slice(0, 16);
}
