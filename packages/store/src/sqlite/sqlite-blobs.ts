/** Blobs of the SQLite store: a row for each, and its bytes in a file. */
import { hash } from "node:crypto";
import { FailureError, type Store } from "@kedge/protocol";
import type { BlobFiles } from "../blob-files.ts";
import { failure } from "../storage-failure.ts";
import type { Connection } from "./sqlite-connection.ts";
import { sql } from "./sqlite-rows.ts";

export function createBlobs(
  connection: Connection,
  files: BlobFiles,
  now: () => number,
): Pick<Store, "putBlob" | "blob"> {
  return {
    async putBlob(bytes) {
      const sha256 = hash("sha256", bytes);
      // The file comes first, so that a row never promises bytes that are not there. One that is there is touched in a
      // transaction as well, because whoever removes what nobody names looks at its time in one.
      connection.write({ durable: false }, () => {
        files.write(sha256, bytes);
        files.touch(sha256, now());
        return connection.run(sql.insertBlob, sha256, bytes.length);
      });
      return sha256;
    },
    async blob(sha256) {
      if (connection.get(sql.blob, sha256) === undefined) return undefined;
      const bytes = files.read(sha256);
      if (bytes !== undefined && hash("sha256", bytes) === sha256) return bytes;
      throw new FailureError(
        failure(`The stored file ${sha256} is damaged or missing.`, "Restore the blobs directory from a backup."),
      );
    },
  };
}
