/** A workspace with one scripted language server, which misbehaves as it is told, and the log of what it was told. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerDefinition } from "../../src/lsp/index.ts";
import { openServerBed, type ServerBed } from "./server-bed.ts";

export type ScriptedBed = { readonly bed: ServerBed; logged(): readonly string[]; close(): Promise<void> };

const script = join(import.meta.dirname, "scripted-server.ts");

export function openScriptedBed(behaviour: string, more: Partial<ServerDefinition> = {}): ScriptedBed {
  const logs = mkdtempSync(join(tmpdir(), "kedge-scripted-"));
  const log = join(logs, "log");
  const definition: ServerDefinition = {
    name: "scripted",
    languages: { ".txt": "plaintext" },
    commands: [[process.execPath, script, behaviour, log]],
    markers: [],
    origin: "test",
    ...more,
  };
  const bed = openServerBed([definition]);
  return {
    bed,
    logged: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    async close() {
      await bed.close();
      rmSync(logs, { recursive: true, force: true });
    },
  };
}

export function wrongWord(line: number, column: number, content: string): string {
  return `a.txt:${line}:${column} error: bad word in ${JSON.stringify(content)} (scripted)`;
}
