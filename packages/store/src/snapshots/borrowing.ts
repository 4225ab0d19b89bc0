/** Owns the time in which a shadow directory still needs objects of the user's repository: from its first index to the copy. */
import { access, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { adoptObjects } from "./adopt-objects.ts";
import { seedIndex } from "./seed-index.ts";
import { type Shadow, trackFolderPattern } from "./shadow-directory.ts";
import { type UserRepository, userObjects } from "./user-repository.ts";

export interface Borrowing {
  /** Before each tree; only the first one finds something to do. */
  begin(signal: AbortSignal): Promise<void>;
  /** For as long as a copy of common size takes; a longer one goes on by itself. */
  waitALittle(): Promise<void>;
  end(): Promise<"done" | "incomplete">;
}

/** A call should not be held up much longer for the sake of a rare loss. */
const waitMsMax = 1_500;

export const noBorrowing: Borrowing = {
  begin: async () => undefined,
  waitALittle: async () => undefined,
  end: async () => "done",
};

export function createBorrowing({ place, index }: Shadow, repository: UserRepository): Borrowing {
  const borrowed = join(place.gitDirectory, "borrowed");
  let hasBegun = false;
  let outcome: "done" | "incomplete" | undefined;
  let adopting: Promise<"done" | "incomplete"> | undefined;

  function adopt(): Promise<"done" | "incomplete"> {
    adopting ??= adoptObjects({ place, objectsFrom: userObjects(repository), borrowed }).then((ended) => {
      outcome = ended;
      return ended;
    });
    return adopting;
  }

  async function seed(signal: AbortSignal): Promise<void> {
    const folder = await mkdtemp(trackFolderPattern(place.gitDirectory));
    try {
      await seedIndex({ place, repository, index, borrowed, folder, signal });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    async begin(signal) {
      if (outcome === "incomplete") {
        // The index stands for objects that are lost; without it all files are stored again.
        await rm(index, { force: true });
        await rm(borrowed, { force: true });
        outcome = "done";
      }
      if (hasBegun) return;
      hasBegun = true;
      if (!(await isThere(index))) await seed(signal);
      // A failure to read or write here shows again, and is told, when the tree is taken or restored.
      adopt().catch(() => undefined);
    },
    async waitALittle() {
      if (outcome !== undefined) return;
      const enough = new AbortController();
      const waited = setTimeout(waitMsMax, undefined, { signal: enough.signal }).catch(() => undefined);
      await Promise.race([adopt(), waited]);
      enough.abort();
    },
    end: adopt,
  };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
