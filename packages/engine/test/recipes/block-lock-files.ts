/** A phase that keeps tools from writing lock files. */
import type { CallPhase } from "@kedge/protocol";

export const blockLockFiles: CallPhase = {
  name: "block-lock-files",
  onError: "refuse",
  before({ needs }) {
    const written = needs.filter(({ access }) => access === "write").flatMap(({ paths = [] }) => paths);
    const lock = written.find((path) => path.endsWith(".lock"));
    if (lock === undefined) return undefined;
    return { decision: "refuse", text: `${lock} belongs to the package manager. Run that instead.` };
  },
};
