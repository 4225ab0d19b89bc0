/** The sources of configuration beside kedge's own files: whose folders they are, and which of them comes first. */
import { statSync } from "node:fs";
import { join, sep } from "node:path";
import { realPathIfThere } from "./real-path-if-there.ts";

export type ConfigSource = {
  readonly id: string;
  /** The higher one is asked first, and wins. */
  readonly priority: number;
  /** Below the user's directory. */
  readonly userBases: readonly string[];
  /** Below the root of the project. */
  readonly projectBases: readonly string[];
  /** What is read of them, by its name below a base, the strongest first; an empty base is the root itself. */
  readonly rules?: { readonly key: "permission" | "permissions"; readonly names: readonly string[] };
  /** Whether the same files name instruction files. */
  readonly namesInstructions?: true;
};

const rows: readonly ConfigSource[] = [
  { id: "native", priority: 100, userBases: [], projectBases: [".kedge"] },
  {
    id: "claude",
    priority: 80,
    userBases: [".claude"],
    projectBases: [".claude"],
    rules: { key: "permissions", names: ["settings.local.json", "settings.json"] },
  },
  { id: "codex", priority: 70, userBases: [".codex"], projectBases: [".codex"] },
  { id: "agents", priority: 70, userBases: [".agent", ".agents"], projectBases: [".agent", ".agents"] },
  { id: "gemini", priority: 60, userBases: [".gemini"], projectBases: [".gemini"] },
  {
    id: "opencode",
    priority: 55,
    userBases: [".config/opencode"],
    projectBases: ["", ".opencode"],
    rules: { key: "permission", names: ["opencode.jsonc", "opencode.json"] },
    namesInstructions: true,
  },
  { id: "github", priority: 30, userBases: [], projectBases: [".github"] },
];

/** The strongest first; equal ones by id. */
export const configSources: readonly ConfigSource[] = rows.toSorted(
  (left, right) => right.priority - left.priority || (left.id < right.id ? -1 : 1),
);

export type SourcePlaces = { readonly home: string; readonly userDirectory: string; readonly projectRoot: string };

export type ConfigDirectory = {
  readonly source: ConfigSource;
  readonly scope: "user" | "project";
  readonly path: string;
};

/** Folders that exist: those of the user, then those of the project, each by falling priority. */
export function configDirs(
  sub: string,
  { home, userDirectory, projectRoot }: SourcePlaces,
): readonly ConfigDirectory[] {
  const ofUser = configSources.flatMap((source) => {
    const bases = source.id === "native" ? [home] : source.userBases.map((base) => join(userDirectory, base));
    return bases.map((base) => ({ source, scope: "user" as const, path: join(base, sub) }));
  });
  const ofProject = configSources.flatMap((source) =>
    // The root of the project is nobody's folder, though a file of another agent may lie there.
    source.projectBases
      .filter((base) => base !== "")
      .map((base) => ({ source, scope: "project" as const, path: join(projectRoot, base, sub) })),
  );
  // A project that is the user's own directory would bring the user's folders a second time.
  const seen = new Set<string>();
  return [...ofUser, ...ofProject].filter(({ scope, path }) => {
    const real = realDirectory(path);
    if (real === undefined || seen.has(real)) return false;
    seen.add(real);
    return scope === "user" || real === projectRoot || real.startsWith(projectRoot + sep);
  });
}

function realDirectory(path: string): string | undefined {
  const real = realPathIfThere(path);
  return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true ? real : undefined;
}
