/** Sealed snapshots that a relay keeps: bytes it cannot read, for a limited time, until whoever sent them says stop. */
import { createHash, timingSafeEqual } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const snapshotBytesMax = 10 * 1024 * 1024;
const keptMs = 30 * 24 * 60 * 60_000;
/** 128 bits in base64url. */
const idText = /^[A-Za-z0-9_-]{22}$/;

export interface Snapshots {
  add(sealed: Uint8Array): Promise<{ readonly id: string; readonly token: string; readonly expiresAt: number }>;
  read(id: string): Promise<Uint8Array | undefined>;
  /** False where the id or the token is not known; nothing tells which. */
  remove(id: string, token: string): Promise<boolean>;
  /** Deletes what is too old. */
  prune(): Promise<void>;
}

export type SnapshotParts = {
  readonly directory: string;
  readonly now: () => number;
  readonly newSecret: () => string;
};

/** A file per snapshot, and beside it the digest of the token that deletes it. */
export function openSnapshots({ directory, now, newSecret }: SnapshotParts): Snapshots {
  const pathOf = (id: string) => join(directory, `${id}.sealed`);
  const tokenPathOf = (id: string) => join(directory, `${id}.token`);
  const digest = (token: string) => createHash("sha256").update(token).digest();

  async function discard(id: string): Promise<void> {
    await rm(pathOf(id), { force: true });
    await rm(tokenPathOf(id), { force: true });
  }

  async function isExpired(id: string): Promise<boolean> {
    const found = await stat(pathOf(id)).catch(absent);
    return found === undefined || now() - found.mtimeMs > keptMs;
  }

  return {
    async add(sealed) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const [id, token] = [newSecret(), newSecret()];
      await writeFile(tokenPathOf(id), digest(token), { mode: 0o600 });
      await writeFile(`${pathOf(id)}.part`, sealed, { mode: 0o600 });
      await rename(`${pathOf(id)}.part`, pathOf(id));
      return { id, token, expiresAt: now() + keptMs };
    },
    async read(id) {
      if (!idText.test(id) || (await isExpired(id))) return undefined;
      return readFile(pathOf(id)).catch(absent);
    },
    async remove(id, token) {
      const kept = idText.test(id) ? await readFile(tokenPathOf(id)).catch(absent) : undefined;
      if (kept === undefined || !timingSafeEqual(kept, digest(token))) return false;
      await discard(id);
      return true;
    },
    async prune() {
      const names = (await readdir(directory).catch(absent)) ?? [];
      const ids = names.filter((name) => name.endsWith(".token")).map((name) => name.slice(0, -".token".length));
      for (const id of ids) if (await isExpired(id)) await discard(id);
    },
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
