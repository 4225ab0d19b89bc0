/** The artifacts of one session: files in a folder of their own, numbered in the order of their making. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Artifact, Artifacts } from "@kedge/protocol";

export type ArtifactsOptions = {
  readonly directory: string;
  readonly redact: (text: string) => string;
};

const fileName = /^(\d+)\.[\w-]+\.log$/;
const ownerOnly = 0o600;
/** A secret may be cut between two writes; as much as one is long waits for the next. */
const heldCharacters = 4_096;

/** Nothing is made before the first artifact. What an earlier process left is counted, so that no number comes twice. */
export function createArtifacts({ directory, redact }: ArtifactsOptions): Artifacts {
  let paths: Map<number, string> | undefined;

  function known(): Map<number, string> {
    paths ??= new Map(
      (existsSync(directory) ? readdirSync(directory) : []).flatMap((name): [number, string][] => {
        const number = fileName.exec(name)?.[1];
        return number === undefined ? [] : [[Number(number), join(directory, name)]];
      }),
    );
    return paths;
  }

  return {
    create(tool) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const number = Math.max(-1, ...known().keys()) + 1;
      const path = join(directory, `${number}.${tool.replaceAll(/[^\w-]/g, "_")}.log`);
      const descriptor = openSync(path, "wx", ownerOnly);
      known().set(number, path);
      return { number, path, ...createRedactedFile(descriptor, redact) };
    },
    pathOf: (number) => known().get(number),
    numbers: () => [...known().keys()].sort((left, right) => left - right),
  };
}

function createRedactedFile(descriptor: number, redact: (text: string) => string): Pick<Artifact, "write" | "close"> {
  let held = "";
  let isOpen = true;
  return {
    write(text) {
      if (!isOpen) return;
      held += text;
      if (held.length <= heldCharacters) return;
      held = redact(held);
      const cut = characterBorder(held, Math.max(0, held.length - heldCharacters));
      writeAll(descriptor, held.slice(0, cut));
      held = held.slice(cut);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      try {
        writeAll(descriptor, redact(held));
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

function characterBorder(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? Math.max(0, index - 1) : index;
}
