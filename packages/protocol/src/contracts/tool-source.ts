/** The ToolSource contract: where the tools of a session come from, and how it learns that they changed. */
import type { Tool } from "./tool.ts";

export type ToolSourceKind = "built-in" | "custom" | "mcp" | "plugin" | "agents" | "sdk";

/** Opened once per session, because some tools remember what happened in it. */
export interface ToolSource {
  /** Unique among the sources of a session; people read it. */
  readonly name: string;
  readonly kind: ToolSourceKind;
  open(session: { readonly sessionId: string }): OpenToolSource;
}

export interface OpenToolSource {
  /**
   * Those that exist now. Asked again after a change; one that is the same tool may be another object. A name has up to
   * 64 letters, digits, underscores and hyphens, and is no other name in another case; others are left out.
   */
  tools(): readonly Tool[];
  /** True while its tools are not known yet, as those of a server that is still connecting. It tells of the change. */
  isPending?(): boolean;
  /** Resolves when it is no longer pending, well or not. Never rejects. A call of a tool that is missing waits for it. */
  settled?(): Promise<void>;
  /** Why it has no tool of this name although it might: a sentence or two with the next step, for the model. */
  whyMissing?(tool: string): string | undefined;
  /** Tells of changes until the returned function is called; a source without it never changes. */
  subscribe?(changed: () => void): () => void;
}

/** A source whose tools stay what they are: `newTools` makes one set per session. */
export function fixedToolSource(
  { name, kind }: Pick<ToolSource, "name" | "kind">,
  newTools: () => readonly Tool[],
): ToolSource {
  return {
    name,
    kind,
    open() {
      const tools = newTools();
      return { tools: () => tools };
    },
  };
}
