/** The artifacts of one session: files in a folder of their own, numbered in the order of their making. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Artifacts } from "@kedge/protocol";

export type ArtifactsOptions = {
  readonly directory: string;
  readonly redact: (text: string) => string;
};

const fileName = /^(\d+)\.[\w-]+\.log$/;
const ownerOnly = 0o600;

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
      let isOpen = true;
      return {
        number,
        path,
        write(text) {
          if (isOpen) writeSync(descriptor, redact(text));
        },
        close() {
          if (isOpen) closeSync(descriptor);
          isOpen = false;
        },
      };
    },
    pathOf: (number) => known().get(number),
    numbers: () => [...known().keys()].sort((left, right) => left - right),
  };
}
