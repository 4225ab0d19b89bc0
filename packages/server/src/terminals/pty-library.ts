/** The library for terminals: what is used of it, and how it is loaded. */

export type PtyLibrary = {
  spawn(file: string, args: string[], options: PtyOptions): PtyProcess;
};

type PtyOptions = {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Record<string, string>;
};

export type PtyProcess = {
  readonly pid: number;
  /** The end of the terminal that we hold. It never blocks. */
  readonly fd: number;
  /** Says at once when the file descriptor is closed; the event comes later, when its number may be another file's. */
  readonly _socket: { readonly destroyed: boolean };
  setEncoding(encoding: "latin1"): void;
  onData(listener: (data: string) => void): unknown;
  /** Comes after all output. */
  onExit(listener: (end: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  resize(columns: number, rows: number): void;
};

/** An optional package with a native part: it may be missing or made for another machine. */
export async function loadPtyLibrary(): Promise<PtyLibrary> {
  const loaded: unknown = await import("@lydell/node-pty");
  // The package is pinned; the tests open real terminals through all that is used of it.
  return loaded as PtyLibrary;
}
