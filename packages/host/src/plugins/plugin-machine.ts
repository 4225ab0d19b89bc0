/** What managing plugins needs of this machine. */
import type { Settings } from "../configuration/setting-file.ts";

export type PluginMachine = {
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly kedgeVersion: string;
  /** What the managed policy sets. */
  readonly policy: Settings | undefined;
  /** Makes a path that a user typed absolute. */
  readonly resolvePath: (path: string) => string;
  readonly ca?: string;
};
