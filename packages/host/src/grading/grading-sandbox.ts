/** The sandbox of graders: one folder may be written, the network and everything else may not. */
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute } from "node:path";
import type { Home } from "../machine/home.ts";
import { type CommandSandbox, createCommandSandbox } from "../shell/command-sandbox.ts";
import type { GraderView } from "./grader-view.ts";

export type GradingSite = {
  readonly home: Home;
  readonly userDirectory: string;
};

/** Without a view, everything can be read but what lies among temporary files. */
export function gradingSandbox(
  directory: string,
  { home, userDirectory }: GradingSite,
  { hidden, readable }: GraderView = { hidden: [], readable: [] },
): CommandSandbox {
  const settings = { mode: "on", autoAllow: false, allowedHosts: [], writable: [] } as const;
  const sandbox = createCommandSandbox({
    ...{ settings, home, userDirectory, roots: [directory], hidden, temporaryDirectory: tmpdir() },
    readable: [...readable, ...programFolders(process.env["PATH"] ?? "")],
  });
  if (sandbox === undefined) throw new Error("a sandbox that is on is there");
  return sandbox;
}

/** Where commands find programs, which may lie among temporary files too. Those of npm lead into the folder around them. */
function programFolders(path: string): readonly string[] {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => (basename(folder) === ".bin" ? dirname(folder) : folder));
}
