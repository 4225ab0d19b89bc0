/** A workspace with real language servers of this checkout, and edits that are diagnosed as after a call. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { createLanguageServers, type ServedFile } from "../../src/lsp/client/index.ts";
import {
  createServerRoots,
  extensionOf,
  findProgram,
  type ServerDefinition,
  serverTable,
} from "../../src/lsp/index.ts";

const checkout = resolve(import.meta.dirname, "../../../..");
const installed = join(checkout, "node_modules", ".bin");

export type ServerBed = ReturnType<typeof openServerBed>;

export function openServerBed(table: readonly ServerDefinition[] = serverTable) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-lsp-")));
  const searchPath = `${installed}:${process.env["PATH"]}`;
  const environment = { PATH: searchPath, HOME: root };
  const roots = createServerRoots(root, new Set(table.flatMap(({ markers }) => markers)));
  const servers = createLanguageServers({
    environment: () => environment,
    monotonicMs: () => performance.now(),
    shorten: (path) => relative(root, path),
  });
  const places = { searchPath, projectFolders: [], isInside: () => false, mayRunProject: true };

  const at = (name: string) => join(root, name);
  function served(name: string): ServedFile {
    const path = at(name);
    roots.written(path);
    const serving = table.flatMap((definition) => {
      if (definition.languages[extensionOf(path)] === undefined) return [];
      const { found } = findProgram(definition.commands, {
        ...places,
        ownTypeScript: join(checkout, "node_modules/typescript"),
      });
      const found_ = roots.find(definition, path);
      return found === undefined || found_ === undefined ? [] : [{ definition, root: found_, program: found }];
    });
    return { path, serving };
  }
  return {
    root,
    servers,
    at,
    served,
    put(name: string, text: string): void {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
    text: (name: string) => readFileSync(at(name), "utf8"),
    diagnose: (...names: readonly string[]) => servers.diagnose(names.map(served), new AbortController().signal),
    async close(): Promise<void> {
      await servers.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
