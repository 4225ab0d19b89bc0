/** The artifacts of one session: files in a folder of their own, numbered in the order of their making. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Artifact, Artifacts, Redactor } from "@kedge/protocol";

export type ArtifactsOptions = {
  readonly directory: string;
  /** Of the session at the top, for one that works below it: the numbers of both are one row. */
  readonly above?: string;
  readonly redactor: Redactor;
};

const fileName = /^(\d+)\.[\w-]+\.log$/;
const ownerOnly = 0o600;

/** Nothing is made before the first artifact. What others left or make meanwhile is counted, so that no number comes twice. */
export function createArtifacts({ directory, above, redactor }: ArtifactsOptions): Artifacts {
  let paths: ReadonlyMap<number, string> | undefined;

  function look(): ReadonlyMap<number, string> {
    paths = new Map([...(above === undefined ? [] : artifactsIn(above)), ...artifactsIn(directory)]);
    return paths;
  }

  return {
    create(tool) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const number = Math.max(-1, ...look().keys()) + 1;
      const name = `${number}.${tool.replaceAll(/[^\w-]/g, "_")}.log`;
      const path = join(directory, name);
      const descriptor = openSync(path, "wx", ownerOnly);
      if (above !== undefined) shareWith(above, { path, name });
      paths = undefined;
      return { number, path, ...createRedactedFile(descriptor, redactor) };
    },
    // One that is missing may have been made by a session below.
    pathOf: (number) => (paths ?? look()).get(number) ?? look().get(number),
    numbers: () => [...look().keys()].sort((left, right) => left - right),
  };
}

function artifactsIn(directory: string): readonly [number, string][] {
  return (existsSync(directory) ? readdirSync(directory) : []).flatMap((name): [number, string][] => {
    const number = fileName.exec(name)?.[1];
    return number === undefined ? [] : [[Number(number), join(directory, name)]];
  });
}

/** The same file, so that it grows there as well and stays after the session that made it. */
function shareWith(above: string, { path, name }: { readonly path: string; readonly name: string }): void {
  try {
    mkdirSync(above, { recursive: true, mode: 0o700 });
    linkSync(path, join(above, name));
  } catch {
    // A file system without links: the session above cannot read it by its number, and the agent says what it says.
  }
}

function createRedactedFile(descriptor: number, redactor: Redactor): Pick<Artifact, "write" | "close"> {
  const redaction = redactor.open();
  let isOpen = true;
  return {
    write(text) {
      if (isOpen) writeAll(descriptor, redaction.write(text));
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      try {
        writeAll(descriptor, redaction.end());
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** One call may write less than it was given, for example when the disk is almost full. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/**
 * For a copy of a session: what its history names stays readable, whatever happens to the first one. A number stays
 * taken although its file cannot be copied, so that an old reference never means a new output.
 */
export function copyArtifacts(from: string, to: string): void {
  const names = existsSync(from) ? readdirSync(from).filter((name) => fileName.test(name)) : [];
  if (names.length === 0) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) copyOne(join(from, name), join(to, name));
}

function copyOne(from: string, to: string): void {
  for (const copy of [linkSync, copyFileSync]) {
    try {
      copy(from, to);
      return;
    } catch {
      // Another file system, or one without links: the next way, and in the end a sentence in its place.
    }
  }
  writeFileSync(to, "This output could not be copied from the original session.\n", { mode: ownerOnly });
}
