/** What is used of the library for terminals. Whoever wires kedge loads it. */

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

type PtySocket = {
  readonly destroyed: boolean;
  destroy(error?: Error): PtySocket;
};

export type PtyProcess = {
  readonly pid: number;
  /** The end of the terminal that we hold. It never blocks. */
  readonly fd: number;
  /** Says at once when the file descriptor is closed; the event comes later, when its number may be another file's. */
  readonly _socket: PtySocket;
  setEncoding(encoding: "latin1"): void;
  onData(listener: (data: string) => void): unknown;
  /** Comes after all output. */
  onExit(listener: (end: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  write(data: string): void;
  pause(): unknown;
  resume(): unknown;
  resize(columns: number, rows: number): void;
};
