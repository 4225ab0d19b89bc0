/** Keeps sign-ins of MCP servers: in the keyring of the system, or in a file that only its owner can read. */
import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type KeptSignIn, parseSignIn, type SignInStore } from "@kedge/extend/mcp-authorization";
import { changeCredentialFile, readCredentialFile } from "../credentials/credential-file.ts";
import type { Keyring } from "../credentials/keyring.ts";
import { whileHeld } from "../machine/file-lock.ts";

const signInFileName = "mcp-credentials.json";

export type SignInStoreParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly keyring: Keyring;
};

export type KeptSignIns = SignInStore & {
  list(): readonly { readonly serverUrl: string; readonly storage: "file" | "keyring" }[];
};

export function openSignInStore({ home, keyring }: SignInStoreParts): KeptSignIns {
  const path = join(home, signInFileName);
  /** As it was read last; every request asks, and another process may have signed in meanwhile. */
  let known: { readonly mark: string; readonly signIns: Map<string, KeptSignIn | undefined> } | undefined;
  const current = () => {
    const mark = markOf(path);
    if (known?.mark !== mark) known = { mark, signIns: new Map() };
    return known.signIns;
  };
  return {
    read(serverUrl) {
      const signIns = current();
      if (!signIns.has(serverUrl)) {
        const stored = readCredentialFile(path);
        const entry = Object.hasOwn(stored, serverUrl) ? stored[serverUrl] : undefined;
        const text = entry?.storage === "keyring" ? keyring.get(accountOf(serverUrl)) : entry?.key;
        signIns.set(serverUrl, text === undefined ? undefined : parseSignIn(text));
      }
      return signIns.get(serverUrl);
    },
    write(serverUrl, signedIn) {
      if (signedIn === undefined) {
        changeCredentialFile(path, ({ [serverUrl]: removed, ...kept }) => {
          if (removed?.storage === "keyring") keyring.remove(accountOf(serverUrl));
          return kept;
        });
      } else {
        const key = JSON.stringify(signedIn);
        const isHeld = keyring.set(accountOf(serverUrl), key);
        // Written although it only names the keyring: other processes see by it that the sign-in is another one.
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
      return whileHeld(join(folder, `mcp-sign-in-${digestOf(serverUrl)}`), work);
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
