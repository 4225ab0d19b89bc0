/** Loaded into the process that is watched: writes what its heap holds into the file named by SOAK_FILE, every second. */
import { writeFileSync } from "node:fs";

const file = process.env["SOAK_FILE"];
if (file !== undefined) {
  setInterval(() => writeFileSync(file, JSON.stringify(process.memoryUsage())), 1_000).unref();
}
