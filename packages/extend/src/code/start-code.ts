/** Starts the process that runs code of others: its own group, no terminal, no descriptor of kedge but the channel. */
import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { attemptStart, endGroup, tiedStart } from "@kedge/protocol";
import { programBeside } from "@kedge/protocol/text-file";
import { channelDescriptor } from "./code-messages.ts";

export type CodeEnvironment = { readonly [name: string]: string };

export type StartedCode = {
  readonly channel: Duplex;
  /** Resolves when the process is gone, with what ended it. */
  readonly gone: Promise<string>;
  /** Everything that it started ends with it. */
  kill(): void;
  /** Whether it keeps kedge running. */
  hold(isHeld: boolean): void;
};

const megabytesMax = 512;
const transformTypes = "--experimental-transform-types";

export function startCode(cwd: string, given: CodeEnvironment): StartedCode | { readonly problem: string } {
  const program = programBeside(import.meta.url, "./child/main.ts");
  // Options for kedge's own Node are none for this one.
  const { NODE_OPTIONS: _, ...environment } = given;
  const flags = [
    `--max-old-space-size=${megabytesMax}`,
    "--no-warnings",
    ...(process.allowedNodeEnvironmentFlags.has(transformTypes) ? [transformTypes] : []),
  ];
  const script = "path" in program ? [program.path] : ["--input-type=module", "--eval", program.text];
  const { file, args } = tiedStart({ file: process.execPath, args: [...flags, ...script] }, environment);
  const child = attemptStart(() =>
    spawn(file, args, { cwd, env: environment, stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true }),
  );
  if ("problem" in child) return child;
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  child.once("error", ({ message }) => resolve(`it could not be started (${message})`));
  child.once("exit", (code, signal) =>
    resolve(code === null ? `its process was killed by ${signal}` : `its process exited with code ${code}`),
  );
  // A pipe in both directions, as the list above asks for.
  const channel = child.stdio[channelDescriptor] as Duplex & { ref(): void; unref(): void };
  return {
    channel,
    gone,
    kill: () => endGroup(child.pid),
    hold(isHeld) {
      const word = isHeld ? "ref" : "unref";
      child[word]();
      channel[word]();
    },
  };
}
