/** The shell that OpenCode's plugins are given: a template whose values are quoted, and whose command starts when somebody waits. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

const outputBytesMax = 8 * 1024 * 1024;

export type ShellOutput = {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  text(): string;
  json(): unknown;
};

export type ShellPromise = Promise<ShellOutput> & {
  quiet(): ShellPromise;
  nothrow(): ShellPromise;
  throws(isThrowing: boolean): ShellPromise;
  cwd(directory: string): ShellPromise;
  env(variables: { readonly [name: string]: string | undefined }): ShellPromise;
  text(): Promise<string>;
  json(): Promise<unknown>;
  lines(): AsyncIterable<string>;
};

export type ShellTemplate = (strings: TemplateStringsArray, ...values: readonly unknown[]) => ShellPromise;

type Wishes = {
  cwd: string;
  isThrowing: boolean;
  env: { readonly [name: string]: string | undefined } | undefined;
};

class ShellError extends Error {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  constructor({ exitCode, stdout, stderr }: Pick<ShellOutput, "exitCode" | "stdout" | "stderr">) {
    const said = stderr.toString("utf8").trim().slice(-2_000);
    super(`The command failed with exit code ${exitCode}${said === "" ? "" : `: ${said}`}`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

export function createShell(directory: string): ShellTemplate {
  return (strings, ...values) => {
    const command = strings.map((text, index) => text + (index < values.length ? quoted(values[index]) : "")).join("");
    const wishes: Wishes = { cwd: directory, isThrowing: true, env: undefined };
    let running: Promise<ShellOutput> | undefined;
    const start = () => {
      running ??= run(command, wishes);
      return running;
    };
    const wish = (change: Partial<Wishes>) => {
      Object.assign(wishes, change);
      return promise;
    };
    const methods = {
      quiet: () => promise,
      nothrow: () => wish({ isThrowing: false }),
      throws: (isThrowing: boolean) => wish({ isThrowing }),
      cwd: (to: string) => wish({ cwd: resolve(directory, to) }),
      env: (env: Wishes["env"]) => wish({ env }),
      text: async () => (await start()).text(),
      json: async () => (await start()).json(),
      lines: () => linesOf(start),
      // biome-ignore lint/suspicious/noThenProperty: it is a promise that begins its work when somebody waits for it.
      then: (...given: Parameters<Promise<ShellOutput>["then"]>) => start().then(...given),
      catch: (...given: Parameters<Promise<ShellOutput>["catch"]>) => start().catch(...given),
      finally: (...given: Parameters<Promise<ShellOutput>["finally"]>) => start().finally(...given),
      [Symbol.toStringTag]: "ShellPromise",
    };
    // The methods of a promise pass on what they are given.
    const promise = methods as unknown as ShellPromise;
    return promise;
  };
}

async function* linesOf(start: () => Promise<ShellOutput>): AsyncGenerator<string> {
  yield* (await start()).text().split("\n");
}

function quoted(value: unknown): string {
  if (Array.isArray(value)) return value.map(quoted).join(" ");
  if (typeof value === "object" && value !== null && "raw" in value) return String(value.raw);
  return `'${String(value).replaceAll("'", `'\\''`)}'`;
}

function run(command: string, { cwd, isThrowing, env }: Wishes): Promise<ShellOutput> {
  return new Promise((settle, fail) => {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      ...(env !== undefined && { env }),
    });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.once("error", fail);
    child.once("close", (code, signal) => {
      const ended = { exitCode: code ?? (signal === null ? 1 : 128), stdout: stdout(), stderr: stderr() };
      if (isThrowing && ended.exitCode !== 0) return fail(new ShellError(ended));
      const text = () => ended.stdout.toString("utf8");
      settle({ ...ended, text, json: () => JSON.parse(text()) });
    });
  });
}

/** What exceeds the limit is dropped. */
export function collect(stream: NodeJS.ReadableStream): () => Buffer {
  const pieces: Buffer[] = [];
  let left = outputBytesMax;
  stream.on("data", (piece: Buffer) => {
    if (left > 0) pieces.push(piece.subarray(0, left));
    left -= piece.length;
  });
  return () => Buffer.concat(pieces);
}
