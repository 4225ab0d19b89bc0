/** Stored texts of a session that are too long for a result. */

/** Texts of a session that are too long for a result: numbered from 0, redacted, removed with the session. */
export interface Artifacts {
  /** Takes the next number. `tool` becomes part of the file's name. */
  create(tool: string): Artifact;
  /** Undefined when there is none of that number. */
  pathOf(number: number): string | undefined;
  numbers(): readonly number[];
}

export interface Artifact {
  readonly number: number;
  readonly path: string;
  write(text: string): void;
  close(): void;
}
