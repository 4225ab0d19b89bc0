/** Paths of the project for what was typed of one, as they are written from the directory one works in. */
import type { Client } from "@kedge/protocol";
import { answered, orNothing, type Remember } from "./brief-memory.ts";
import { rank } from "./rank.ts";

export type PathParts = { readonly client: Client; readonly remember: Remember; readonly signal: AbortSignal };

const pathsMax = 50;
/** Of the second, wider search. */
const widePathsMax = 500;

/** Directories end with a slash. A bare sign and a whole directory are answered with what is in it. */
export async function completePath(text: string, parts: PathParts): Promise<readonly string[]> {
  const place = await placeOf(parts);
  const isDirectory = text === "" || text.endsWith("/");
  const paths = isDirectory
    ? // Whoever types a path that does not exist is not through with it.
      await orNothing(parts.remember(`list ${text}`, () => listDirectory(text, place, parts)))
    : await parts.remember(`find ${text}`, () => findPaths(text, place, parts));
  return paths.slice(0, pathsMax);
}

/** The way from the root of the project, from which the engine names files, to the directory, as names of directories. */
export type Place = readonly string[];

export function placeOf(parts: PathParts): Promise<Place> {
  return orNothing(parts.remember("place", () => readPlace(parts)));
}

async function readPlace({ client, signal }: PathParts): Promise<Place> {
  const { root, directory } = answered(await client.ask<"project.read">({ type: "project.read" }, { signal }));
  return directory.startsWith(`${root}/`) ? directory.slice(root.length + 1).split("/") : [];
}

export function fromDirectory(path: string, place: Place): string {
  const names = path.split("/");
  const apart = place.findIndex((name, index) => names[index] !== name);
  const shared = apart === -1 ? place.length : apart;
  return [...place.slice(shared).map(() => ".."), ...names.slice(shared)].join("/");
}

/** Directories first; what is not under version control last. */
async function listDirectory(text: string, place: Place, { client, signal }: PathParts): Promise<readonly string[]> {
  const path = text.startsWith("/") ? text : [...place, text === "" ? "." : text].join("/");
  const listed = answered(await client.ask<"file.list">({ type: "file.list", path }, { signal }));
  const entries = listed.entries.map((entry) => ({
    path: fromDirectory(entry.kind === "directory" ? `${entry.path}/` : entry.path, place),
    order: (entry.isIgnored === true ? 2 : 0) + (entry.kind === "directory" ? 0 : 1),
  }));
  return entries.sort((left, right) => left.order - right.order).map((entry) => entry.path);
}

async function findPaths(text: string, place: Place, parts: PathParts): Promise<readonly string[]> {
  // The search knows no way up, and does not need one.
  const wanted = text.replace(/^(?:\.{1,2}\/)+/, "");
  const found = await askForPaths(wanted, pathsMax, parts);
  // The engine finds what contains all words: all letters as words are more than what has them in their order.
  const letters = Array.from(wanted.replaceAll(/\s+/g, "")).join(" ");
  const all =
    found.length > 0 ? [...directoriesOf(found, wanted), ...found] : await askForPaths(letters, widePathsMax, parts);
  const named = all.map((path) => ({
    label: fromDirectory(path, place),
    keywords: path.split("/").findLast((name) => name !== "") ?? "",
  }));
  const typed = text.replace(/^(?:\.\/)+/, "");
  // The directory itself needs no name from there.
  return rank(named, typed).flatMap(({ label }) => (label === "" ? [] : [label]));
}

async function askForPaths(text: string, limit: number, { client, signal }: PathParts): Promise<readonly string[]> {
  return answered(await client.ask<"file.find">({ type: "file.find", text, limit }, { signal })).paths;
}

function directoriesOf(paths: readonly string[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const directories = paths.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)));
  return [...new Set(directories)].filter((directory) => directory.toLowerCase().includes(wanted));
}
