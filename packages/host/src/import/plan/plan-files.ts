/** Plans the files that are copied as they are. One that kedge has already stays. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { presenceOf } from "../../configuration/setting-file.ts";
import type { FoundFile, ImportNote, ImportScope } from "../findings.ts";
import { liesOutside, type TargetPlaces } from "./settings-target.ts";

export type PlannedCopy = { readonly path: string; readonly after: Buffer; readonly isExecutable: boolean };

export function planFiles(
  found: readonly FoundFile[],
  scope: ImportScope,
  {
    places,
    shown,
    notes,
  }: { readonly places: TargetPlaces; readonly shown: (path: string) => string; readonly notes: ImportNote[] },
): readonly PlannedCopy[] {
  const { home, projectRoot } = places;
  const folder = scope === "user" ? home : join(projectRoot, ".kedge");
  const planned = new Map<string, PlannedCopy>();
  for (const { target, bytes, isExecutable, from } of found) {
    const path = join(folder, target);
    const name = shown(path);
    const keep = (why: string) => notes.push({ ...from, kind: "kept", why });
    const earlier = planned.get(path);
    if (earlier !== undefined) {
      if (!earlier.after.equals(bytes)) keep(`is skipped: another file becomes ${name}`);
    } else if (scope === "project" && liesOutside(path, projectRoot))
      keep(`is skipped: ${name} would be outside the project`);
    else if (presenceOf(path) === "absent") planned.set(path, { path, after: bytes, isExecutable });
    else if (!isEqualFile(path, bytes)) keep(`is skipped: ${name} exists and differs`);
  }
  return [...planned.values()];
}

function isEqualFile(path: string, bytes: Buffer): boolean {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size === bytes.length && readFileSync(path).equals(bytes);
  } catch {
    // What cannot be read is not the same.
    return false;
  }
}
