/** Where reviewers and judges work: one frozen copy of the project without history, in which nothing can be run or sent. */
import type { OpenAgentPlace, RuleSet, SessionProfile } from "@kedge/protocol";
import { makeGradedCopy } from "../grading/graded-copy.ts";
import type { Project } from "../machine/project.ts";
import type { ProofParts } from "../proof/proof-parts.ts";
import { moved } from "../worktrees/agent-worktrees.ts";
import { openCheckout } from "../worktrees/open-worktrees.ts";

export type FrozenPlace = {
  readonly place: OpenAgentPlace;
  close(): Promise<void>;
};

/** What runs a command or reaches another machine. Without them there is nothing that a sandbox would have to hold. */
const reaching = ["bash", "webfetch", "websearch", "codesearch", "agent", "lsp"];

/** The checkout beside the copy has the history, and what changed since. */
const onlyInside: RuleSet = {
  source: "agent",
  rules: [{ permission: "external_directory", pattern: "*", action: "deny" }],
};

/** A text says why none could be made. */
export async function openFrozenPlace(parts: ProofParts): Promise<FrozenPlace | string> {
  const opened = openCheckout(parts);
  if (!opened.ok) return opened.failure.message;
  const { repository, dependencyFolders } = opened.value;
  const copy = await makeGradedCopy(repository, dependencyFolders);
  if (!copy.ok) return copy.failure.message;
  const { directory, remove } = copy.value;
  const project: Project = { ...parts.project, cwd: directory, root: directory };
  const tools = parts.toolsAt(project);
  return {
    async place(_, leader) {
      const move = { project, tools, snapshots: parts.snapshotsAt(project), main: repository.root, site: parts };
      const notice = `You work in a frozen copy of the project: ${directory}. It has no history, and nothing can be run.`;
      return { ok: true, value: { profile: held(moved(leader, move)), notice, leave: async () => undefined } };
    },
    async close() {
      await tools.sandbox?.close();
      await tools.looks.close();
      remove();
    },
  };
}

function held(profile: SessionProfile): SessionProfile {
  const { excludedTools = [], rules } = profile;
  return { ...profile, excludedTools: [...excludedTools, ...reaching], rules: [...rules, onlyInside] };
}
