/** A process with code of others, as kedge talks to it: every wait has a limit, and nothing it says is taken on trust. */
import { isJsonObject, type Json, type JsonObject } from "@kedge/protocol";
import { type LoadMessage, lineBytesMax, type ToCode, type Work } from "./code-messages.ts";
import { createLineReader } from "./json-lines.ts";
import { type CodeEnvironment, startCode } from "./start-code.ts";

export type CodeReply =
  | { readonly ok: true; readonly value: unknown }
  /** `threw`: the code said no, on purpose. `failed`: it broke, was too slow or ended. A sentence part about the code. */
  | { readonly ok: false; readonly kind: "threw" | "failed" | "interrupted"; readonly problem: string };

export type WorkOptions = {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
  /** Answers what the code asks for while it works; undefined for what it cannot have. */
  readonly onWish?: (name: string, value: JsonObject) => Promise<Json | undefined>;
};

export type CodeProcess = {
  /** The value of the reply is what the file brings. */
  load(message: LoadMessage, timeoutMs: number): Promise<CodeReply>;
  work(work: Work, options: WorkOptions): Promise<CodeReply>;
  tell(event: JsonObject): void;
  isGone(): boolean;
  end(): void;
};

export type CodeProcessParts = {
  readonly cwd: string;
  readonly environment: CodeEnvironment;
  readonly onLog: (level: string, text: string) => void;
  /** A file of a package was loaded that nobody knew. */
  readonly onModule: (path: string, digest: string) => void;
};

/** What the code has for settling after it was told to stop. */
const abortGraceMs = 2_000;
/** What one call may report while it works. */
const progressCharactersMax = 4 * 1024 * 1024;
/** More than that waits for nobody who reads it. */
const unreadBytesMax = 16 * 1024 * 1024;
const loadId = 0;

type Waiting = {
  readonly options: Omit<WorkOptions, "timeoutMs">;
  settle(reply: CodeReply): void;
  progressLeft: number;
};

export function openCodeProcess(parts: CodeProcessParts): CodeProcess | { readonly problem: string } {
  const started = startCode(parts.cwd, parts.environment);
  if ("problem" in started) return started;
  const { channel, gone, kill, hold } = started;
  const waiting = new Map<number, Waiting>();
  let count = loadId;
  let ended: string | undefined;
  hold(false);

  function end(why: string): void {
    ended ??= why;
    kill();
    for (const each of [...waiting.values()]) each.settle({ ok: false, kind: "failed", problem: ended });
    channel.destroy();
  }

  function send(message: ToCode): void {
    if (ended !== undefined) return;
    if (channel.writableLength > unreadBytesMax) end("it does not read its input");
    else channel.write(`${JSON.stringify(message)}\n`);
  }

  async function answerWish(id: number, call: number, name: string, value: JsonObject): Promise<void> {
    const answered = await waiting.get(call)?.options.onWish?.(name, value);
    send({ type: "reply", id, value: answered ?? null });
  }

  function hear(message: unknown): void {
    const { type, id, value, problem, text, ...rest } = isJsonObject(message) ? message : {};
    const asked = typeof id === "number" ? waiting.get(id) : undefined;
    switch (type) {
      case "loaded":
        waiting.get(loadId)?.settle({ ok: true, value: rest["manifest"] });
        break;
      case "unloaded":
        waiting.get(loadId)?.settle({ ok: false, kind: "threw", problem: String(problem) });
        break;
      case "answer":
        asked?.settle({ ok: true, value });
        break;
      case "threw":
        asked?.settle({ ok: false, kind: rest["isBug"] === true ? "failed" : "threw", problem: String(problem) });
        break;
      case "progress":
        if (asked === undefined || typeof text !== "string") break;
        asked.progressLeft -= text.length;
        if (asked.progressLeft > 0) asked.options.onProgress?.(text);
        break;
      case "log":
        parts.onLog(String(rest["level"]), String(text));
        break;
      case "module":
        parts.onModule(String(rest["path"]), String(rest["digest"]));
        break;
      case "wish": {
        const { call, name } = rest;
        if (typeof id !== "number" || typeof call !== "number" || !isJsonObject(value)) break;
        answerWish(id, call, String(name), value as JsonObject).catch(() => end("its request failed"));
        break;
      }
      default:
        end("it wrote something unreadable to its channel");
    }
  }

  const reader = createLineReader({
    bytesMax: lineBytesMax,
    onLine: (line) => hear(parsed(line)),
    onTooLong: () => end("it wrote too much to its channel"),
  });
  channel.on("data", (piece: Buffer) => reader.add(piece));
  channel.on("error", () => undefined);
  // Without its channel nobody hears from it any more.
  channel.on("close", () => void gone.then(end, end));
  gone.then(end, end);

  function wait(message: ToCode & { readonly type: "load" | "work" }, options: WorkOptions): Promise<CodeReply> {
    const { timeoutMs, signal, ...rest } = options;
    const id = message.type === "load" ? loadId : message.id;
    if (ended !== undefined) return Promise.resolve({ ok: false, kind: "failed", problem: ended });
    if (signal?.aborted) return Promise.resolve(interrupted);
    return new Promise((resolve) => {
      let grace: NodeJS.Timeout | undefined;
      const timer = setTimeout(() => end(`it did not respond within ${timeoutMs / 1_000} s`), timeoutMs);
      const onAbort = () => {
        send({ type: "abort", id });
        grace = setTimeout(() => end("it did not stop when it was interrupted"), abortGraceMs);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.set(id, {
        options: rest,
        progressLeft: progressCharactersMax,
        settle(reply) {
          clearTimeout(timer);
          clearTimeout(grace);
          signal?.removeEventListener("abort", onAbort);
          waiting.delete(id);
          if (waiting.size === 0) hold(false);
          resolve(signal?.aborted === true ? interrupted : reply);
        },
      });
      hold(true);
      send(message);
    });
  }

  return {
    load: (message, timeoutMs) => wait(message, { timeoutMs }),
    work(work, options) {
      count += 1;
      return wait({ type: "work", id: count, work }, options);
    },
    tell: (event) => send({ type: "session", event }),
    isGone: () => ended !== undefined,
    end: () => end("it was stopped"),
  };
}

const interrupted: CodeReply = { ok: false, kind: "interrupted", problem: "it was interrupted" };

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
