/** Files of packages that code of a project loaded, as they were the first time after it was trusted. */
import type { CodeGroup } from "./code-group.ts";
import type { CodeParts } from "./code-parts.ts";

export type LoadedPackages = {
  /** What may be loaded later only if it is still the same. */
  list(): readonly (readonly [path: string, digest: string])[];
  add(path: string, digest: string): void;
};

const filesMax = 5_000;
const none: LoadedPackages = { list: () => [], add: () => undefined };

/** Only for projects: what the user installs for tools of their own needs no second answer. */
export function openLoadedPackages(
  file: string,
  { owner, version, digests }: CodeGroup,
  { definitions, digest }: Pick<CodeParts, "definitions" | "digest">,
): LoadedPackages {
  if (owner.kind !== "project") return none;
  const key = digest(JSON.stringify(["packages", file, version, [...(digests ?? [])]]));
  const known = new Map<string, string>(read(definitions.read(key)));
  let isWriting = false;
  return {
    list: () => [...known],
    add(path, found) {
      if (known.has(path) || known.size >= filesMax) return;
      known.set(path, found);
      if (isWriting) return;
      isWriting = true;
      // A package has many files, and they come at once.
      setImmediate(() => {
        isWriting = false;
        definitions.write(key, JSON.stringify([...known]));
      });
    },
  };
}

function read(text: string | undefined): readonly (readonly [string, string])[] {
  try {
    // Written by the function above.
    return text === undefined ? [] : (JSON.parse(text) as readonly (readonly [string, string])[]);
  } catch {
    return [];
  }
}
