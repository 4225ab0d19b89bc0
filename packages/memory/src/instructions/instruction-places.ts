/** The tables of places in which instruction files are looked for, by directory of the walk and by user. */
import type { InstructionOrigin } from "./instruction-entry.ts";

export type PlaceRow = {
  /** Relative to a directory of the walk, or to the user's directory. */
  readonly path: string;
  readonly source: InstructionOrigin;
  /** Only the working directory counts, not those above it. */
  readonly isHereOnly?: true;
};

export type RuleFolderRow = PlaceRow & { readonly pattern: RegExp };

const markdown = /\.mdc?$/;

/** Files beside the code, from the weakest source to the strongest. */
export const plainFiles: readonly PlaceRow[] = [
  { path: "CONTEXT.md", source: "agents-md" },
  { path: "AGENTS.md", source: "agents-md" },
  { path: "GEMINI.md", source: "gemini" },
  { path: "CLAUDE.md", source: "claude" },
  { path: "KEDGE.md", source: "native" },
];

/** By folder, so that a folder that is not there costs one look. */
export const folderFiles: { readonly [folder: string]: readonly PlaceRow[] } = {
  ".github": [{ path: "copilot-instructions.md", source: "github", isHereOnly: true }],
  ".gemini": [{ path: "GEMINI.md", source: "gemini", isHereOnly: true }],
  ".agent": [{ path: "AGENTS.md", source: "agents" }],
  ".agents": [{ path: "AGENTS.md", source: "agents" }],
  ".omp": [{ path: "AGENTS.md", source: "omp" }],
  ".pi": [{ path: "AGENTS.md", source: "omp" }],
  ".claude": [{ path: "CLAUDE.md", source: "claude" }],
  ".kedge": [
    { path: "AGENTS.md", source: "native" },
    { path: "KEDGE.md", source: "native" },
  ],
};

/** With all folders below them. */
export const folderRules: { readonly [folder: string]: RuleFolderRow } = {
  ".github": { path: "instructions", source: "github", pattern: /\.instructions?\.md$/ },
  ".omp": { path: "rules", source: "omp", pattern: markdown },
  ".pi": { path: "rules", source: "omp", pattern: markdown },
  ".claude": { path: "rules", source: "claude", pattern: markdown },
  ".kedge": { path: "rules", source: "native", pattern: markdown },
};

/** One developer's own, in a directory of the project. */
export const localFiles: readonly PlaceRow[] = [
  { path: "AGENTS.local.md", source: "agents-md" },
  { path: "CLAUDE.local.md", source: "claude" },
  { path: "KEDGE.local.md", source: "native" },
];

export const ompFolderDefault = ".omp/agent";

/** Files of other agents in the user's directory; kedge's own come after them. */
export const userFiles: readonly PlaceRow[] = [
  { path: ".config/opencode/AGENTS.md", source: "opencode" },
  { path: ".gemini/GEMINI.md", source: "gemini" },
  { path: ".agent/AGENTS.md", source: "agents" },
  { path: ".agents/AGENTS.md", source: "agents" },
  { path: ".codex/AGENTS.md", source: "codex" },
  { path: `${ompFolderDefault}/AGENTS.md`, source: "omp" },
  { path: ".claude/CLAUDE.md", source: "claude" },
];

/** In kedge's own folder. */
export const ownUserFiles: readonly string[] = ["AGENTS.md", "KEDGE.md"];

export const rulePattern = markdown;

/** Kept beside a file that was made shorter; never loaded itself. */
export const backupPattern = /\.original\.mdc?$/;

/** A memory that a model wrote, in the folder of instructions: a record, not an order. */
export const modelMemoryPattern = /(?:^|\/)memory\.instructions?\.md$/;

/** Short rules that are said again with every prompt. */
export const stickyName = "RULES.md";

export const stickyFolders: readonly PlaceRow[] = [
  { path: ".omp", source: "omp" },
  { path: ".kedge", source: "native" },
];

/** Where a new file may appear while a session is open, in a directory of the walk. */
export const watchedFolders: readonly string[] = [
  ...Object.keys(folderFiles),
  ...Object.entries(folderRules).map(([folder, { path }]) => `${folder}/${path}`),
];

/** In the same folders: what replaces or extends kedge's own prompts. */
export const promptNames = ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"] as const;
