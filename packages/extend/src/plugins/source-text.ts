/** Where a plugin or a catalogue comes from, and how that is written. All of it that a plain start loads. */

export type PluginSource =
  /** A directory of this machine. */
  | { readonly kind: "path"; readonly path: string }
  /** A directory of the catalogue that names it. */
  | { readonly kind: "inside"; readonly path: string }
  | {
      readonly kind: "git";
      readonly url: string;
      /** A branch or a tag; the default branch without it. */
      readonly ref?: string;
      /** The only commit that will do. */
      readonly sha?: string;
      /** A directory of the repository. */
      readonly path?: string;
    }
  | { readonly kind: "npm"; readonly package: string; readonly version?: string }
  | { readonly kind: "archive"; readonly url: string; readonly sha256: string }
  /** A catalogue that is one file. */
  | { readonly kind: "file"; readonly url: string };

/** For people, and for rules of a policy. */
export function sourceText(source: PluginSource): string {
  switch (source.kind) {
    case "path":
    case "inside":
      return source.path;
    case "git": {
      const at = source.sha ?? source.ref;
      const inside = source.path === undefined ? "" : `:${source.path}`;
      return `${source.url}${at === undefined && inside === "" ? "" : `#${at ?? ""}${inside}`}`;
    }
    case "npm":
      return `npm:${source.package}${source.version === undefined ? "" : `@${source.version}`}`;
    case "archive":
    case "file":
      return source.url;
  }
}
