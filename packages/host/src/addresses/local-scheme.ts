/** `local://`: scratch files that a session shares with those it starts, and that go with it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import type { OwnScheme } from "./scheme.ts";

export type LocalParts = {
  /** With one folder for each session, which is removed with it. */
  readonly artifactsDirectory: string;
  readonly store: Pick<Store, "session">;
};

/** No folders and nothing hidden: a name cannot lead out of the scratch files. */
const namePattern = /^[A-Za-z0-9][\w. -]{0,119}$/;
const bytesMax = 64 * 1024 * 1024;
const ancestorsMax = 50;

export function localScheme({ artifactsDirectory, store }: LocalParts): OwnScheme {
  /** Whoever started the session shares with it. */
  async function folderOf(sessionId: string): Promise<string> {
    let top = sessionId;
    for (let count = 0; count < ancestorsMax; count += 1) {
      const parent = (await store.session(top))?.parentId;
      if (parent === undefined || parent === top) break;
      top = parent;
    }
    return join(artifactsDirectory, top, "local");
  }

  return {
    isForeign: false,
    list: async ({ sessionId }) => filesIn(await folderOf(sessionId)),
    async text(name, { sessionId }) {
      if (!namePattern.test(name)) return undefined;
      const path = join(await folderOf(sessionId), name);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    async write(name, text, { sessionId }) {
      if (!namePattern.test(name))
        return `local://${name} is not a valid name. Use letters, digits, dots and hyphens, without directories.`;
      const folder = await folderOf(sessionId);
      const others = filesIn(folder).filter((file) => file.name !== name);
      const used = others.reduce((sum, file) => sum + file.bytes, 0);
      if (used + Buffer.byteLength(text) > bytesMax)
        return `Scratch files of a session are limited to ${bytesMax / 1024 / 1024} MB in total.`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // In one step, so that whoever shares it never reads a half.
      const draft = join(folder, `.${name}.draft`);
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, join(folder, name));
      return undefined;
    },
  };
}

function filesIn(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => namePattern.test(name)) : [];
  return names.sort().map((name) => {
    const bytes = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return { name, about: `${bytes} bytes`, bytes };
  });
}
