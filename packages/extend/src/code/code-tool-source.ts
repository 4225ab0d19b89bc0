/** The tools of files of code, as a source for sessions. */
import type { ToolSource, ToolSourceKind } from "@kedge/protocol";
import type { CodeParts } from "./code-parts.ts";
import { createCodeTool } from "./code-tool.ts";
import type { CodeUnit } from "./code-unit.ts";

export type ToolSourceParts = {
  readonly name: string;
  readonly kind: ToolSourceKind;
  readonly units: readonly CodeUnit[];
  readonly parts: CodeParts;
  readonly subscribe: (changed: () => void) => () => void;
};

export function createCodeToolSource({ name, kind, units, parts, subscribe }: ToolSourceParts): ToolSource {
  return {
    name,
    kind,
    open: ({ sessionId }) => ({
      tools: () =>
        units.flatMap((unit) =>
          unit
            .manifest()
            .tools.filter(({ hidden }) => !hidden)
            .map((tool) => createCodeTool(tool, unit, parts, sessionId)),
        ),
      subscribe,
    }),
  };
}
