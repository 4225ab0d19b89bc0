/** Tells by the name alone what a write goes to, and what must be permitted for it. */
import { resolve } from "node:path";
import type { Need } from "@kedge/protocol";
import { type Address, parseAddress } from "../../addresses/address.ts";
import { safeName } from "../../reading/archive/archive-entry.ts";
import { type ContainerKind, splitContained } from "../../reading/contained.ts";
import { needPath, shortPath } from "../../tool-path.ts";
import { type ConflictRegion, type Conflicts, selectRegions } from "../conflicts/conflicts.ts";

export type MemberTarget = {
  readonly kind: "member";
  readonly archive: Exclude<ContainerKind, "database">;
  /** The containing file, as written. */
  readonly container: string;
  readonly name: string;
};

export type RowTarget = {
  readonly kind: "row";
  readonly container: string;
  /** `TABLE` or `TABLE:KEY`. Which of its colons ends the table is known to the database. */
  readonly inner: string;
};

export type WriteTarget =
  | { readonly kind: "file" }
  | MemberTarget
  | RowTarget
  | { readonly kind: "conflict"; readonly id: number | "all" }
  | { readonly kind: "address"; readonly address: Address }
  | { readonly kind: "refused"; readonly problem: string };

const memberNameBytesMax = 4_096;
/** Served by the tools themselves, and only read. */
const readOnlySchemes: ReadonlySet<string> = new Set(["artifact", "file", "http", "https"]);
/** The scratch files of the session, which nobody needs to be asked about. */
const scratchScheme = "local";

export function parseWriteTarget(filePath: string): WriteTarget {
  // Most names have neither sign, and then nothing else needs to be tried.
  if (!/[:?]/.test(filePath)) return { kind: "file" };
  const address = parseAddress(filePath);
  if (address?.scheme === "conflict") return parseConflict(filePath);
  if (address !== undefined && readOnlySchemes.has(address.scheme))
    return refuse(`${address.scheme}:// cannot be written; write to a path, or to local://NAME for a scratch file.`);
  if (address !== undefined) return { kind: "address", address };
  const contained = splitContained(filePath);
  if (contained === undefined) return { kind: "file" };
  const { kind, container, inner } = contained;
  if (kind === "database") return parseRow(container, inner);
  return parseMember({ kind: "member", archive: kind, container, name: inner.slice(1) });
}

function parseConflict(filePath: string): WriteTarget {
  const wanted = filePath.slice("conflict://".length);
  if (wanted === "*") return { kind: "conflict", id: "all" };
  if (/^[1-9]\d{0,8}$/.test(wanted)) return { kind: "conflict", id: Number(wanted) };
  const [number, side] = wanted.split("/");
  if (side === undefined)
    return refuse(`${filePath} is not a conflict: write to conflict://NUMBER, or conflict://* for all.`);
  return refuse(`One side cannot be written; write @${side} to conflict://${number} to keep that side.`);
}

function parseRow(container: string, inner: string): WriteTarget {
  if (inner.startsWith(":") && inner.length > 1) return { kind: "row", container, inner: inner.slice(1) };
  return refuse(`Write to ${container}:TABLE to insert a row, or to ${container}:TABLE:KEY to change one.`);
}

function parseMember(target: MemberTarget): WriteTarget {
  const name = safeName(target.name);
  if (name === undefined || target.name.includes("\0"))
    return refuse(`"${target.name}" is not a path inside an archive: it must not be empty, absolute or contain "..".`);
  if (target.name.endsWith("/")) return refuse(`${target.name} names a directory; write to a file in it.`);
  if (Buffer.byteLength(name) > memberNameBytesMax)
    return refuse(`The path in the archive is longer than ${memberNameBytesMax} bytes; shorten it.`);
  return { ...target, name };
}

function refuse(problem: string): WriteTarget {
  return { kind: "refused", problem };
}

export type StatedWrite = {
  readonly filePath: string;
  readonly target: WriteTarget;
  readonly conflicts: Conflicts;
  /** What it destroys cannot be had back by writing again. */
  readonly isDestructive: boolean;
};

export function needsOfWrite(
  { filePath, target, conflicts, isDestructive }: StatedWrite,
  cwd: string,
): readonly Need[] {
  switch (target.kind) {
    case "file":
      return needPath("edit", "write", filePath, cwd);
    case "refused":
      return [{ permission: "edit", patterns: [filePath], always: [], access: "write" }];
    case "conflict":
      return needRegions(selectRegions(conflicts, target.id), filePath, { cwd, isDestructive });
    case "address": {
      const permission = target.address.scheme === scratchScheme ? "scratch" : "edit";
      return [{ permission, patterns: [filePath], always: [filePath], access: "write" }];
    }
    case "row":
      return [needInside(target.container, target.inner, { cwd, isDestructive })];
    case "member": {
      const need = needInside(target.container, target.name, { cwd, isDestructive });
      // Also as if it were unpacked, so that secrets are known by their names.
      return [{ ...need, paths: [...(need.paths ?? []), resolve(cwd, target.container, target.name)] }];
    }
  }
}

type Stated = { readonly cwd: string; readonly isDestructive: boolean };

/** A rule for the containing file holds for what is in it. */
function needInside(container: string, inner: string, { cwd, isDestructive }: Stated): Need {
  const path = resolve(cwd, container);
  const paths = [`${path}:${inner}`, path];
  const patterns = paths.map((path) => shortPath(path, cwd));
  return { permission: "edit", patterns, always: isDestructive ? [] : patterns, access: "write", paths };
}

function needRegions(regions: readonly ConflictRegion[], filePath: string, stated: Stated): readonly Need[] {
  if (regions.length === 0) return [{ permission: "edit", patterns: [filePath], always: [], access: "write" }];
  const paths = [...new Set(regions.map(({ path }) => path))];
  const patterns = paths.map((path) => shortPath(path, stated.cwd));
  const always = stated.isDestructive ? [] : patterns;
  return [{ permission: "edit", patterns, always, access: "write", paths }];
}
