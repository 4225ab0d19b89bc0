/** Has the engine of JavaScript collect everything that nobody holds, so that a test can tell what is still held. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What was looked at through a WeakRef is held until the turn is over, so it waits for one. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}
