/** Splits a target that lies inside of a file: `a.zip:inner/path`, `app.db:users:5` or `app.db?q=SELECT 1`. */

export type ContainerKind = "tar" | "tar.gz" | "zip" | "database";

export type Contained = {
  readonly kind: ContainerKind;
  /** The containing file, as written. */
  readonly container: string;
  /** What follows it, with the sign between them. */
  readonly inner: string;
};

const containedPattern = /^(.*?\.(?:tar|tar\.gz|tgz|zip|sqlite3?|db3?))([:?].*)$/is;
const databaseName = /\.(?:sqlite3?|db3?)$/i;

/** By the names alone; undefined when nothing stands behind a container. */
export function splitContained(target: string): Contained | undefined {
  const match = containedPattern.exec(target);
  const [, container, inner] = match ?? [];
  if (container === undefined || inner === undefined) return undefined;
  const kind = containerKindOf(container);
  // Only a database can be asked.
  return kind === undefined || (inner.startsWith("?") && kind !== "database") ? undefined : { kind, container, inner };
}

export function containerKindOf(path: string): ContainerKind | undefined {
  if (databaseName.test(path)) return "database";
  if (/\.zip$/i.test(path)) return "zip";
  if (/\.(?:tar\.gz|tgz)$/i.test(path)) return "tar.gz";
  return /\.tar$/i.test(path) ? "tar" : undefined;
}

const emptyZip = "PK\x05\x06";

/** Whether the first bytes of a file are those that its name promises. */
export function isContainer(kind: ContainerKind, beginning: Buffer): boolean {
  const text = beginning.toString("latin1");
  switch (kind) {
    case "database":
      return text.startsWith("SQLite format 3\0");
    case "zip":
      return text.startsWith("PK\x03\x04") || text.startsWith(emptyZip);
    case "tar.gz":
      return text.startsWith("\x1f\x8b");
    case "tar":
      return text.startsWith("ustar", 257);
  }
}
