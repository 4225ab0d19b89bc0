/** A throw-away directory that is brought to recorded trees, so that file tools can run again without touching anything. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

export type CheckOut = (tree: string, directory: string) => Promise<boolean>;

export type ScratchOptions = {
  readonly temporaryDirectory: string;
  /** Where the session worked, and the root of the worktree around it. */
  readonly cwd: string;
  readonly root: string;
  /** Without it nothing is ever there. */
  readonly checkOut: CheckOut | undefined;
};

export interface ScratchWorkspace {
  readonly root: string;
  readonly cwd: string;
  /** False when the tree cannot be had any more. */
  bringTo(tree: string): Promise<boolean>;
  /** What ran again has led to this tree. */
  moved(tree: string): void;
  /** What is there is no longer a known tree. */
  forget(): void;
  /** Paths of the session become paths of this directory, and back. */
  inwards<Value>(value: Value): Value;
  outwards<Value>(value: Value): Value;
  remove(): void;
}

export function createScratchWorkspace({ temporaryDirectory, cwd, root, checkOut }: ScratchOptions): ScratchWorkspace {
  const place = realpathSync(mkdtempSync(join(temporaryDirectory, "kedge-replay-")));
  const scratch = join(place, "workspace");
  const inner = join(scratch, relative(root, cwd));
  mkdirSync(inner, { recursive: true });
  let current: string | undefined;

  function empty(): void {
    for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true, force: true });
    // Searches heed ignore files only inside a repository.
    mkdirSync(join(scratch, ".git"));
  }

  return {
    root: scratch,
    cwd: inner,
    async bringTo(tree) {
      if (current === tree) return true;
      current = undefined;
      if (checkOut === undefined) return false;
      empty();
      if (!(await checkOut(tree, scratch))) return false;
      mkdirSync(inner, { recursive: true });
      current = tree;
      return true;
    },
    moved(tree) {
      current = tree;
    },
    forget() {
      current = undefined;
    },
    inwards: (value) => replaceTexts(value, root, scratch),
    outwards: (value) => replaceTexts(value, scratch, root),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Texts change and nothing else, so the value keeps its type. */
function replaceTexts<Value>(value: Value, from: string, to: string): Value {
  return replaced(value, from, to) as Value;
}

function replaced(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((member) => replaced(member, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, from, to)]));
}
