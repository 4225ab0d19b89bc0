/** The licences of packages whose code is in a bundle: they ask to go where the code goes. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** Empty when a bundle has nothing of others. `further` are files, as seen from the root, that went into other bundles. */
export function noticesOf(root: string, metafiles: readonly Metafile[], further: readonly string[] = []): string {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)),
  );
  const bundled = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : [path]));
  const folders = [...bundled, ...further].flatMap((path) => {
    const name = /^([^:]*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    return name === undefined ? [] : [name];
  });
  return [...new Set(folders)]
    .sort()
    .map((folder) => noticeOf(join(root, folder)))
    .join("\n");
}

function noticeOf(folder: string): string {
  const [file] = globSync("{LICENSE,LICENCE,License,license}*", { cwd: folder }).sort();
  // Written by whoever published the package; both members are there in every package of the registry.
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const path = file === undefined ? undefined : join(folder, file);
  const text =
    path !== undefined && existsSync(path)
      ? readFileSync(path, "utf8").trim()
      : `Licence: ${license ?? "see the package"}`;
  return `${name} ${version}\n${"-".repeat(name.length + version.length + 1)}\n${text}\n`;
}
