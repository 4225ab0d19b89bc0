/** A program that starts the commands of its arguments as kedge would, tells when all have begun, and stays. */
import { flushCompileCache } from "node:module";
import { createProcessTie } from "../src/index.ts";
import { runShell } from "../src/shell/process/shell-process.ts";

// Now, because it will be killed.
flushCompileCache();

const [boot = "", ...commands] = process.argv.slice(2);
const tie = createProcessTie({ boot });
await Promise.all(
  commands.map((command, index) =>
    runShell({
      shellPath: "/bin/bash",
      command,
      cwd: "/",
      environment: tie.environment({ PATH: process.env["PATH"] ?? "" }),
      mark: `${boot}-${index}`,
      signal: new AbortController().signal,
      onOutput: () => undefined,
      outlivesShell: true,
    }),
  ),
);
process.stdout.write("begun\n");
setInterval(() => undefined, 60_000);
