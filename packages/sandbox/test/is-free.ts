/** Whether a command would run without a rule and without a question, as far as the analysis decides. */
import { posix } from "node:path";
import type { ShellPlace } from "@kedge/protocol";
import { analyseShell } from "../src/shell/index.ts";

const root = "/home/dev/proj";
export const place: ShellPlace = {
  cwd: root,
  root,
  home: "/home/dev",
  lookAtPath: (path) => ({
    place: `${posix.resolve(root, path)}/`.startsWith(`${root}/`) ? "inside" : "outside",
    otherNames: [],
  }),
};

export function isFree(command: string): boolean {
  const { readOnly, files } = analyseShell(command, place);
  return readOnly && files.every((file) => file.path !== undefined && file.place === "inside");
}
