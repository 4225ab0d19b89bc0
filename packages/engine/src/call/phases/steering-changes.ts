/** Tells whoever loads instruction files which of them a call changed, and whether a person said yes to that. */
import { resolve } from "node:path";
import { isNamedByRule, isSteeringFile, steeringNotice } from "../../gates/index.ts";
import { plainText } from "../../gates/plain-text.ts";
import { shellCommandOf } from "../../run/conduct.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function steeringChanges({ engine }: Pick<CallServices, "engine">): Phase {
  const { steeringChanged, workspace, rules } = engine;
  const { root, home, cwd } = workspace;

  function isAccepted({ decision, gated }: Call, path: string): boolean {
    if (decision?.source === "user")
      return gated.raise?.reason.includes(`${plainText(path)}: ${steeringNotice}`) === true;
    return decision?.source === "rule" && isNamedByRule(path, rules, { root, home });
  }

  return {
    takes: "ended",
    pass(call) {
      if (steeringChanged === undefined || call.readOnly || call.decision === undefined) return call;
      const certain = new Set(changedBy(call, { root, cwd }).filter((path) => isSteeringFile(path, { root, home })));
      const spoken = namesIn(call, cwd).filter((path) => !certain.has(path) && isSteeringFile(path, { root, home }));
      for (const path of certain) steeringChanged({ path, isAccepted: isAccepted(call, path), isCertain: true });
      for (const path of spoken) steeringChanged({ path, isAccepted: isAccepted(call, path), isCertain: false });
      return call;
    },
  };
}

/** What it named as written, and what was seen to change while it ran. */
function changedBy({ needs, files = [], end }: Call, { root, cwd }: { readonly root: string; readonly cwd: string }) {
  const named = needs.flatMap((need) => (need.access === "write" ? (need.paths ?? need.patterns) : []));
  const written = end?.outcome === "completed" ? named : [];
  return [...written.map((path) => resolve(cwd, path)), ...files.map(({ path }) => resolve(root, path))];
}

/** Files that git ignores change unseen; a command that changes one mostly says its name. */
function namesIn({ needs }: Call, cwd: string): readonly string[] {
  const command = shellCommandOf(needs);
  if (command === undefined) return [];
  const words = command.split(/[\s"'`;&|()<>=,{}[\]]+/).filter((word) => word.includes("."));
  return [...new Set(words.map((word) => resolve(cwd, word)))];
}
