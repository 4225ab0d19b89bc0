/** Opens an SQLite database that the model has read, and changes it in one transaction. */
import { closeSync, readSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { ToolContext } from "@kedge/protocol";
import { openRegularFile } from "../../file-content.ts";
import { describeFileError } from "../../file-error.ts";
import { isContainer } from "../../reading/contained.ts";
import { findPlace } from "../change-guards.ts";
import { RowProblem } from "./database-table.ts";

const busyTimeoutMs = 3_000;
const headerBytes = 100;

/**
 * The true path. Other programs write to a database all the time, so it must have been read, but it need not be as it
 * was then: a row is found by its key inside of the transaction that changes it.
 */
export function findDatabase(container: string, { cwd, files }: ToolContext): string {
  const place = findPlace(container, cwd);
  if (!place.ok) throw new RowProblem(place.problem);
  const opened = openRegularFile(place.path);
  if (opened.kind === "refused") throw new RowProblem(opened.problem);
  if (opened.kind === "directory") throw new RowProblem(`${container} is a directory.`);
  if (opened.kind === "missing")
    throw new RowProblem(
      `${container} does not exist, and a write does not create databases; make it with bash (sqlite3).`,
    );
  try {
    const beginning = Buffer.alloc(headerBytes);
    readSync(opened.descriptor, beginning, 0, headerBytes, 0);
    if (!isContainer("database", beginning))
      throw new RowProblem(`${container} is not a valid SQLite database, despite its name.`);
  } finally {
    closeSync(opened.descriptor);
  }
  if (files.known(place.path) === undefined)
    throw new RowProblem(`${container} exists but has not been read in this session; read it first.`);
  return place.path;
}

export async function openDatabase(path: string, { readOnly }: { readonly readOnly: boolean }): Promise<DatabaseSync> {
  // Few sessions write to a database, so only they load it.
  const { DatabaseSync } = await import("node:sqlite");
  const location = pathToFileURL(path);
  // A file that has gone meanwhile must not come back empty.
  location.searchParams.set("mode", readOnly ? "ro" : "rw");
  const database = new DatabaseSync(location, { readOnly, timeout: busyTimeoutMs });
  database.exec("PRAGMA trusted_schema=OFF");
  return database;
}

/** The database itself would only say so after it has opened the file for reading. */
export async function checkWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    throw new RowProblem(`${problem} Nothing was changed.`);
  }
}
