/** Loaded into the process that is watched: writes what its heap holds into the file named by SOAK_FILE, every second. */
import { renameSync, writeFileSync } from "node:fs";

const file = process.env["SOAK_FILE"];
if (file !== undefined) {
  const write = () => {
    // In one step, because it is read at any time.
    writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.new`, file);
  };
  write();
  setInterval(write, 1_000).unref();
}
