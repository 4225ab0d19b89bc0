/** Which snapshots were uploaded from here, with what deletes them. Readable by its owner only. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type SharedSnapshot = {
  readonly shareId: string;
  readonly sessionId: string;
  readonly server: string;
  /** Deletes it at the server. */
  readonly token: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export function openShareList(home: string) {
  const directory = join(home, "collab");
  const path = join(directory, "shares.json");

  async function read(): Promise<readonly SharedSnapshot[]> {
    try {
      return JSON.parse(await readFile(path, "utf8")) as readonly SharedSnapshot[];
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  }

  async function write(shares: readonly SharedSnapshot[]): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.part`, JSON.stringify(shares, undefined, 2), { mode: 0o600 });
    await rename(`${path}.part`, path);
  }

  return {
    read,
    add: async (share: SharedSnapshot) => write([...(await read()), share]),
    remove: async (shareId: string) => write((await read()).filter((share) => share.shareId !== shareId)),
  };
}
