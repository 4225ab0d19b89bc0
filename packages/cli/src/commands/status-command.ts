/** Runs the command that the user wrote for the status line: what it knows comes on standard input. */
import { spawn } from "node:child_process";
import { childEnvironment, createProcessTie, thisProcess } from "@kedge/host";
import { attemptStart, FailureError } from "@kedge/protocol";

const limitMs = 300;
const outputBytesMax = 4_096;

type Environment = { readonly [name: string]: string | undefined };

/** Gives its first line, or nothing when it failed or took too long. What it starts ends with this process. */
export function createStatusCommand(
  environment: Environment,
): (command: string, input: string) => Promise<string | undefined> {
  const tie = createProcessTie(thisProcess());
  return async (command, input) => {
    try {
      const env = tie.environment(childEnvironment(environment, { scrub: true }));
      return await runStatusCommand(command, input, env);
    } catch (error) {
      // The machine has nothing left for it.
      if (error instanceof FailureError) return undefined;
      throw error;
    }
  };
}

function runStatusCommand(command: string, input: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      spawn("sh", ["-c", command], {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: limitMs,
        killSignal: "SIGKILL",
        env,
      }),
    );
    if ("problem" in child) return resolve(undefined);
    let output = "";
    child.stdout.on("data", (piece: Buffer) => {
      if (output.length < outputBytesMax) output += piece.toString("utf8");
    });
    // A command that reads nothing closes its input, which is its right.
    child.stdin.on("error", () => {});
    child.on("error", () => resolve(undefined));
    child.on("close", (exitCode) => resolve(exitCode === 0 ? (output.split("\n", 1)[0] ?? "") : undefined));
    child.stdin.end(input);
  });
}
