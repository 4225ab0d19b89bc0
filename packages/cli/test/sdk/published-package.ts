/** A folder in which programs find the SDK as after an installation, and in which they are checked and run. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SdkBench } from "./sdk-bench.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");

export type PublishedPackage = {
  /** Throws what the compiler has to say. */
  check(names: readonly string[]): Promise<void>;
  /** What the program prints. */
  run(name: string, options?: { readonly argv?: readonly string[]; readonly environment?: object }): Promise<string>;
};

export async function installSdk(
  { directory, project, environment }: SdkBench,
  programs: { readonly [name: string]: string },
): Promise<PublishedPackage> {
  const installed = join(directory, "node_modules/kedge");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  await run(process.execPath, [join(root, "scripts/build-sdk.ts"), join(installed, "dist/sdk")]);
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(directory, name), text);
  return {
    async check(files) {
      const compilerOptions = {
        ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, erasableSyntaxOnly: true },
        ...{ module: "nodenext", target: "es2024", noEmit: true, skipLibCheck: false, types: ["node"] },
        typeRoots: [join(root, "node_modules/@types")],
      };
      const config = join(directory, "tsconfig.json");
      writeFileSync(config, JSON.stringify({ compilerOptions, files }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const outcome = await run(process.execPath, [tsc, "-p", config]).catch(
        (error: { readonly stdout: string }) => error,
      );
      if (outcome.stdout !== "") throw new Error(outcome.stdout);
    },
    async run(name, { argv = [], environment: more = {} } = {}) {
      const env = { ...environment, ...more };
      const { stdout } = await run(process.execPath, [join(directory, name), ...argv], { cwd: project, env });
      return stdout;
    },
  };
}
