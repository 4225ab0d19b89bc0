/** What kedge is told about where it was started: directory, environment, user. */
import { homedir } from "node:os";

export type Surroundings = {
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
};

/** `cwd` is empty when the directory was removed under the running shell. */
export function readSurroundings(): Surroundings {
  return { cwd: currentDirectory(), environment: process.env, userDirectory: homedir() };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
