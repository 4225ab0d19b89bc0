/** Where facts, blobs and trees of the workspace are kept: the Store and Snapshots contracts and what implements them. */
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { createMachineLook, type MachineLookOptions } from "./premise/machine-look.ts";
export { createGitSnapshots, type GitSnapshotsOptions } from "./snapshots/git-snapshots.ts";
export { type OpenedStore, openSqliteStore } from "./sqlite/open-sqlite-store.ts";
export type { SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
