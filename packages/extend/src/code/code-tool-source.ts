/** The tools of files of code, as a source for sessions. */
import type { ToolSource, ToolSourceKind } from "@kedge/protocol";
import type { CodeParts } from "./code-parts.ts";
import { createCodeTool } from "./code-tool.ts";
import type { CodeUnit } from "./code-unit.ts";
import type { PendingActions } from "./pending-actions.ts";

export type ToolSourceParts = {
  readonly name: string;
  readonly kind: ToolSourceKind;
  readonly units: readonly CodeUnit[];
  readonly parts: CodeParts;
  readonly pending: PendingActions;
  readonly subscribe: (changed: () => void) => () => void;
};

export function createCodeToolSource({ name, kind, units, parts, pending, subscribe }: ToolSourceParts): ToolSource {
  return {
    name,
    kind,
    open: ({ sessionId }) => ({
      tools: () =>
        units.flatMap((unit) =>
          unit
            .manifest()
            .tools.filter(({ hidden }) => !hidden)
            .map((tool) => createCodeTool(tool, unit, { parts, pending, sessionId })),
        ),
      subscribe,
    }),
  };
}
