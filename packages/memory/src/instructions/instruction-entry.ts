/** The words of instruction files: where one is found, what became of it, and why. */

/** In the order in which they are loaded; later text stands nearer to the conversation. */
export type InstructionTier = "managed" | "user" | "project" | "local";

/** Which agent's convention a place belongs to; a higher priority stands later within one directory. */
export const sourcePriorities = {
  "agents-md": 10,
  github: 30,
  opencode: 55,
  gemini: 60,
  agents: 70,
  codex: 70,
  omp: 75,
  claude: 80,
  native: 100,
  remote: 5,
} as const;

export type InstructionOrigin = keyof typeof sourcePriorities;

/** A file that exists in a place where instructions are looked for. */
export type InstructionCandidate = {
  readonly path: string;
  readonly tier: InstructionTier;
  readonly source: InstructionOrigin;
  /** The directory it counts for: conditions are relative to it, and the nearest one counts most. */
  readonly directory: string;
  /** Only a rule can wait for a file that it is about; what is sticky is said again with every prompt. */
  readonly form: "file" | "rule" | "sticky";
  /** The settings file of another agent that names it; undefined for what is found by its own name. */
  readonly namedBy?: string;
  /** Found, but not to be loaded: the reason. */
  readonly refused?: string;
};

/**
 * `loaded`: the model sees it from the start. `waiting`: a rule whose condition is not met yet. `data`: shown as a
 * record that is no order, because a model wrote it and nobody accepted it. `not-loaded`: the reason is in `why`.
 */
export type InstructionStatus = "loaded" | "waiting" | "data" | "not-loaded";

export type InstructionEntry = InstructionCandidate & {
  readonly status: InstructionStatus;
  readonly why: string;
  /** As the model reads it; empty when it is not loaded. */
  readonly text: string;
  /** SHA-256 of the file; empty when it was not read. */
  readonly hash: string;
  readonly bytes: number;
  readonly lines: number;
  /** Estimated. */
  readonly tokens: number;
  /** How much of the text is not shown because it is too long. */
  readonly cutCharacters: number;
  /** How many hidden characters, and characters of look-alikes of kedge's own tags, were taken out. */
  readonly removedCharacters: number;
  /** What the user may want to know about it, one sentence each. */
  readonly notes: readonly string[];
  /** What the user and the model must know: parts of it are missing. */
  readonly warnings: readonly string[];
  /** Of a rule: relative to `directory`. */
  readonly patterns?: readonly string[];
  /** The file that includes it. */
  readonly includedBy?: string;
};

/** A name can hold anything but a slash; nothing in it may end a line or look like a tag. */
export function plainName(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\u00a1-\u1fff\u2c00-\ud7ff\uf900-\ufdff]|["<>&]/g, "?");
}

const charactersPerToken = 3.5;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
