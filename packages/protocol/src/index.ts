/** The words and the contracts that every other package speaks in. Imports nothing of ours. */
export * from "./client.ts";
export * from "./commands.ts";
export * from "./content.ts";
export * from "./facts.ts";
export * from "./failure.ts";
export * from "./fold.ts";
export * from "./json.ts";
export * from "./json-schema.ts";
export * from "./model.ts";
export * from "./near-names.ts";
export * from "./permission.ts";
export * from "./session-state.ts";
export * from "./signals.ts";
export * from "./snapshots.ts";
export * from "./store.ts";
export * from "./tool.ts";
