/** Keeps what servers printed as files, for `kedge mcp logs` after the process that started them is gone. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveServer } from "@kedge/extend/mcp";
import { replaceFile } from "../machine/replace-file.ts";

export interface ServerLogs {
  keep(live: Pick<LiveServer, "server" | "log">): void;
}

export function createServerLogs(home: string, redact: (text: string) => string): ServerLogs {
  return {
    keep({ server, log }) {
      const text = log.text();
      if (text === "") return;
      try {
        mkdirSync(join(home, "log", "mcp"), { recursive: true, mode: 0o700 });
        replaceFile(logPath(home, server.name), `${redact(text)}\n`);
      } catch (error) {
        // A log that cannot be kept must not end what it is about; `/mcp logs` shows it while kedge runs.
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    },
  };
}

/** Undefined where nothing was kept. */
export function readServerLog(home: string, name: string): string | undefined {
  const path = logPath(home, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function logPath(home: string, name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, "_").slice(0, 60);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return join(home, "log", "mcp", `${plain}-${digest}.log`);
}
