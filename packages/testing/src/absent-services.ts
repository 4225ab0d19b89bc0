/** Services of a session that a test does without: they hold nothing, and say so where something is asked of them. */
import type { Artifacts, Jobs, Snapshots } from "@kedge/protocol";

export const noSnapshots: Snapshots = {
  track: async () => ({ ok: false, why: "there are none in this test" }),
  changes: async () => [],
  restore: async () => undefined,
  diff: async () => "",
};

export const noArtifacts: Artifacts = {
  create: () => ({ number: 0, path: "", write: () => undefined, close: () => undefined }),
  pathOf: () => undefined,
  numbers: () => [],
};

export const noJobs: Jobs = {
  start: () => ({ ok: false, problem: "there are none in this test" }),
  adopt: () => ({ ok: false, problem: "there are none in this test" }),
  find: () => undefined,
  list: () => [],
  takeOutput: () => "",
  waitForEnd: async () => undefined,
  watch: () => undefined,
  kill: async () => undefined,
  takeEnded: () => [],
  close: async () => undefined,
};
