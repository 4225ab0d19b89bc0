/** Loads the library for terminals of this machine. */
import type { PtyLibrary } from "@kedge/protocol";

/** An optional package with a native part: it may be missing or made for another machine. */
export async function loadPtyLibrary(): Promise<PtyLibrary> {
  const loaded: unknown = await import("@lydell/node-pty");
  // The package is pinned; the tests open real terminals through all that is used of it.
  return loaded as PtyLibrary;
}
