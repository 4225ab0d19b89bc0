/** Loads the SDK of the Agent Client Protocol, which with its schemas is no part of the program's one file. */
import { createRequire } from "node:module";

export type Sdk = typeof import("@agentclientprotocol/sdk");

/** It takes about 100 ms, which only the first ACP agent pays. */
export function loadSdk(): Sdk {
  // The package is a dependency of an exact version, so what it exports is what its types say.
  return createRequire(import.meta.url)("@agentclientprotocol/sdk") as Sdk;
}
