/** Copies what a seeded index borrows from the user's repository, so that undo never depends on it. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type GitOutcome, type GitPlace, runGit } from "./git-process.ts";

export type Adoption = {
  readonly place: GitPlace;
  /** The user's folder of objects. */
  readonly objectsFrom: string;
  /** The file with the names of what is borrowed; there is none when nothing is. */
  readonly borrowed: string;
};

/**
 * Only objects that the seeded index took over are ever borrowed: whatever is stored later is written to the shadow
 * itself, even if the user's repository has it too. The copy starts with the first tree and mostly ends with it. From
 * then on no clean-up or rewriting of the user's history can take anything from a tree; until then the user's git
 * keeps these objects too, because its index names them, unless somebody changes that and prunes at once.
 * `incomplete` means that objects were lost before they could be copied.
 */
export async function adoptObjects(adoption: Adoption): Promise<"done" | "incomplete"> {
  const { borrowed } = adoption;
  const names = await readFile(borrowed).catch(() => undefined);
  if (names === undefined) return "done";
  if ((await pack(adoption, names)).kind === "done") {
    await rm(borrowed, { force: true });
    return "done";
  }
  const present = await runGit(adoption.place, {
    arguments: ["cat-file", "--buffer", "--batch-check=%(objectname)"],
    input: names,
    objectsFrom: adoption.objectsFrom,
    isBackground: true,
  });
  if (present.kind === "done") {
    const lines = present.output.toString("latin1").split("\n");
    const found = lines.filter((line) => !line.includes(" "));
    await pack(adoption, Buffer.from(found.join("\n")));
  }
  return "incomplete";
}

/** Old compression is taken over as it is; looking for better would cost more than it saves. */
function pack({ place, objectsFrom }: Adoption, names: Buffer): Promise<GitOutcome> {
  const target = join(place.gitDirectory, "objects", "pack", "pack");
  return runGit(place, {
    arguments: ["-c", "core.compression=1", "pack-objects", "-q", "--window=0", "--threads=1", target],
    input: names,
    objectsFrom,
    isBackground: true,
  });
}
