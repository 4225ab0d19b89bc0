/** The agents whose set-ups can be imported: where their folders lie, and who reads them. */
import type { Findings } from "../findings.ts";
import type { ForeignFolder } from "../foreign-folder.ts";
import type { ImportedAgent } from "../plan/import-plan.ts";
import { readClaude } from "./claude.ts";
import { readCodex } from "./codex.ts";
import { readGemini } from "./gemini.ts";
import { readOmp } from "./omp.ts";
import { readOpencode } from "./opencode.ts";

export type ForeignAgent = {
  /** What people call it. */
  readonly name: string;
  /** Below the user's directory; the first that is there counts. */
  readonly userFolders: readonly string[];
  /** Below the root of the project. */
  readonly projectFolders: readonly string[];
  /** Files at the root of the project that count even where the folder is missing. */
  readonly projectFiles?: readonly string[];
  readonly read: (folder: ForeignFolder, findings: Findings) => Promise<void>;
};

export const foreignAgents: { readonly [Agent in ImportedAgent]: ForeignAgent } = {
  claude: {
    name: "Claude Code",
    userFolders: [".claude"],
    projectFolders: [".claude"],
    projectFiles: [".mcp.json"],
    read: readClaude,
  },
  opencode: {
    name: "OpenCode",
    userFolders: [".config/opencode"],
    projectFolders: [".opencode"],
    projectFiles: ["opencode.json", "opencode.jsonc"],
    read: readOpencode,
  },
  codex: { name: "Codex", userFolders: [".codex"], projectFolders: [".codex"], read: readCodex },
  gemini: { name: "Gemini CLI", userFolders: [".gemini"], projectFolders: [".gemini"], read: readGemini },
  omp: { name: "omp", userFolders: [".omp/agent"], projectFolders: [".omp", ".pi"], read: readOmp },
};
