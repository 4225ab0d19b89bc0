/** Where a worker with a process of its own is shown: the one interface that terminals are behind. */

/** Runs a program to its end. Arguments are a list: nothing in them is read by a shell. */
export type RunProgram = (
  argv: readonly string[],
) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;

export type Pane = {
  readonly paneId: string /** Of the worker, where the terminal tells it. */;
  readonly pid?: number;
};

export type PaneOrder = {
  readonly title: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
};

export interface PaneBackend {
  readonly kind: "tmux" | "iterm2";
  /** What a person types to look at the panes; absent where they are already in sight. */
  readonly attach?: string;
  /** Throws where no pane can be made. */
  open(order: PaneOrder): Promise<Pane>;
  /** One that is gone already is as good as closed. */
  close(paneId: string): Promise<void>;
  /** Those that are there. */
  list(): Promise<readonly string[]>;
}

export class PaneError extends Error {}

export async function succeed(run: RunProgram, argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(argv);
  if (code !== 0)
    throw new PaneError(`${argv[0]} failed: ${(stderr || stdout).trim().split("\n", 1)[0] || `exit code ${code}`}`);
  return stdout;
}
