/** Lets one process of this machine at a time into a piece of work; whoever dies lets go. */
import { createServer, type Server } from "node:net";

const waitMsMax = 5_000;
const retryMs = 3;

/** Undefined when somebody else held it all the time. The name is free of the file system, so nothing can be left over. */
export async function withHostLock<Result>(name: string, work: () => Result): Promise<Result | undefined> {
  let waitedMs = 0;
  let lock = await tryToHold(name);
  while (lock === undefined && waitedMs < waitMsMax) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    waitedMs += retryMs;
    lock = await tryToHold(name);
  }
  if (lock === undefined) return undefined;
  try {
    return work();
  } finally {
    lock.close();
  }
}

function tryToHold(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    // A leading zero byte makes it a name of the kernel instead of a file.
    server.listen(`\0${name}`, () => resolve(server));
  });
}
