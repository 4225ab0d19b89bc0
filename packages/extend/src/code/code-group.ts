/** A group of files whose code kedge may run: where they come from, what they were when somebody trusted them, what they may do. */

/** What code can ask for. A person sees these before a plugin is installed. */
export const codeCapabilities = [
  "tools",
  "events",
  "calls",
  "prompts",
  "system-prompt",
  "requests",
  "permissions",
  "environment",
  "recall",
  "credentials",
] as const;

export type CodeCapability = (typeof codeCapabilities)[number];

export type CodeOwner =
  | {
      readonly kind: "plugin";
      readonly name: string;
      readonly root: string;
      /** Where it may keep files of its own. */
      readonly data?: string;
    }
  | { readonly kind: "project" | "user"; readonly root: string };

export type CodeGroup = {
  /** Files that run, as absolute real paths and in load order. Each has a process of its own. */
  readonly files: readonly string[];
  readonly owner: CodeOwner;
  /**
   * SHA-256 in hex of every file that may be loaded, by absolute real path; a file that is missing here, or differs when
   * it is loaded, does not run. Without it everything below the owner's root may be loaded, and nothing else.
   */
  readonly digests?: ReadonlyMap<string, string>;
  /** Names this version of the group, for the cache of definitions. */
  readonly version: string;
  readonly capabilities: "all" | readonly CodeCapability[];
};

export function hasCapability({ capabilities }: Pick<CodeGroup, "capabilities">, wanted: CodeCapability): boolean {
  return capabilities === "all" || capabilities.includes(wanted);
}

/** How a person and the model know whose code it is. */
export function ownerName(owner: CodeOwner): string {
  return owner.kind === "plugin" ? `plugin ${owner.name}` : `${owner.kind} code`;
}
