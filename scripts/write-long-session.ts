/** Writes a long session into the data directory of a home, for measurements of other processes. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openSqliteStore } from "@kedge/store";
import { fill, type Place } from "./long-session.ts";

type Wish = { readonly data: string; readonly sessionId: string; readonly messages: number; readonly place: Place };

// Its one argument, as the measurements write it.
const { data, sessionId, messages, place } = JSON.parse(process.argv[2] ?? "") as Wish;
const files = { path: join(data, "kedge.db"), blobsDirectory: join(data, "blobs") };
const opened = openSqliteStore({ ...files, now: Date.now, randomBytes, isAlive: () => true });
if (!opened.ok) throw new Error(opened.failure.message);
await fill(opened.store, sessionId, messages, place);
await opened.store.close();
