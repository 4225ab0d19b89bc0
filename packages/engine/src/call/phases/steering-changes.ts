/** Tells whoever loads instruction files which of them a call changed, and whether a person said yes to that. */
import { resolve } from "node:path";
import { isNamedByRule, isSteeringFile, steeringNotice } from "../../gates/index.ts";
import { plainText } from "../../gates/plain-text.ts";
import { shellCommandOf } from "../../run/conduct.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function steeringChanges({ engine }: Pick<CallServices, "engine">): Phase {
  const { steeringChanged, isInstruction, recentInstructions, workspace, rules } = engine;
  const { root, home, cwd } = workspace;
  const isSteering = (path: string) => isSteeringFile(path, { root, home });
  const instructs = (path: string) => isSteering(path) || isInstruction?.(path) === true;

  function isAccepted({ decision, gated }: Call, path: string): boolean {
    if (decision?.source === "rule") return isNamedByRule(path, rules, { root, home });
    if (decision?.source !== "user") return false;
    // A person who said yes to something else was not told about this file.
    return !isSteering(path) || gated.raise?.reason.includes(`${plainText(path)}: ${steeringNotice}`) === true;
  }

  return {
    takes: "ended",
    pass(call) {
      if (steeringChanged === undefined || call.readOnly || call.decision === undefined) return call;
      const named = call.end?.outcome === "completed" ? writtenBy(call, cwd) : [];
      const changed = (call.files ?? []).map(({ path }) => resolve(root, path));
      const recent = mayChangeUnseen(call) ? (recentInstructions?.(call.startedAt ?? 0) ?? []) : [];
      const certain = new Set([...[...named, ...changed].filter(instructs), ...recent]);
      const spoken = namesIn(call, cwd).filter((path) => !certain.has(path) && instructs(path));
      for (const path of certain) {
        const isKnown = named.includes(path) || isSteering(path);
        steeringChanged({ path, isAccepted: isKnown && isAccepted(call, path), isCertain: true });
      }
      for (const path of spoken)
        steeringChanged({ path, isAccepted: isSteering(path) && isAccepted(call, path), isCertain: false });
      return call;
    },
  };
}

/** A command can write anywhere; one that only looks runs where it cannot. */
function mayChangeUnseen({ needs, look, startedAt }: Call): boolean {
  return startedAt !== undefined && look === undefined && needs.some(({ access }) => access === "execute");
}

function writtenBy({ needs }: Call, cwd: string): readonly string[] {
  const named = needs.flatMap((need) => (need.access === "write" ? (need.paths ?? need.patterns) : []));
  return named.map((path) => resolve(cwd, path));
}

/** Files that git ignores change unseen; a command that changes one mostly says its name. */
function namesIn({ needs }: Call, cwd: string): readonly string[] {
  const command = shellCommandOf(needs);
  if (command === undefined) return [];
  const words = command.split(/[\s"'`;&|()<>=,{}[\]]+/).filter((word) => word.includes("."));
  return [...new Set(words.map((word) => resolve(cwd, word)))];
}
