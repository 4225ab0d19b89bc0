/** The Tool contract: what the agent can do to the machine, and the narrow services a call is given. */
import type { JsonObject } from "./json.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Need } from "./permission.ts";

export type Parsed<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly report: string };

/** What a run gives back. `isError` is for the model to read; a tool throws only for bugs and broken machines. */
export type ToolOutput = {
  readonly output: string;
  readonly isError?: true;
  /** One line for a person, such as a path or a command. */
  readonly title: string;
  /** Plain data for clients: a diff, an exit code, counts. Never sent to the model. */
  readonly metadata?: JsonObject;
};

/**
 * A tool never asks for permission, publishes events, truncates its output or knows the session: the pipeline does
 * these for all tools, so none can forget.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Upper limit of what the model sees of one result. */
  readonly resultCharactersMax: number;
  parse(input: unknown): Parsed<Input>;
  /** Looks at the world without changing it; a sentence for the model when the call cannot work. */
  validate?(input: Input, context: ToolContext): Promise<string | undefined>;
  needs(input: Input, cwd: string): readonly Need[];
  /** What a person sees before answering a permission question, such as a diff. No side effects. */
  preview?(input: Input, context: ToolContext): Promise<string | undefined>;
  readOnly(input: Input): boolean;
  concurrencySafe(input: Input): boolean;
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolContext {
  readonly callId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly files: FileState;
  readonly sink: OutputSink;
}

/** Remembers what the model has seen of each file, so that nothing is overwritten blindly. */
export interface FileState {
  /** Call after reading or writing: this content is what the model knows. */
  remember(path: string, contentHash: string): void;
  /** The hash of the content the model knows, under the file's true path; undefined if it never read the file. */
  known(path: string): string | undefined;
  /** Runs alone among the calls that change the same path. */
  exclusively<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
}

/** Takes output as it arrives, shows progress live, and keeps a bounded head and tail of it. */
export interface OutputSink {
  write(chunk: string, stream: "stdout" | "stderr"): void;
  /** Everything kept so far; says in the middle how much was left out. */
  text(): string;
  readonly totalBytes: number;
  readonly truncated: boolean;
}
