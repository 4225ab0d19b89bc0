/** A server of the tests outlives nobody: not a test that forgot it, and not a process that was killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { startPostgres } from "./postgres-cluster.ts";

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on("connect", () => end(true)).on("error", () => end(false));
  });
}

test("a server ends with the process that started it, even by kill -9", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "postgres-cluster.ts"));
  const program = `const { startPostgres } = await import(${module});
    const { port, folder } = await startPostgres();
    console.log(JSON.stringify({ port, folder }));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { port, folder } = JSON.parse(String(line));
  expect([await answers(port), existsSync(folder)]).toEqual([true, true]);
  child.kill("SIGKILL");
  await expect.poll(async () => [await answers(port), existsSync(folder)]).toEqual([false, false]);
});

test("databases are empty, apart from one another, and can be copied", async () => {
  const cluster = await startPostgres();
  try {
    const first = await cluster.newDatabase();
    await first.query("CREATE TABLE note (text text)");
    await first.query("INSERT INTO note VALUES ($1)", ["kept"]);
    const [copy, other] = [await cluster.newDatabase(first), await cluster.newDatabase()];
    expect(await copy.query("SELECT * FROM note")).toEqual([{ text: "kept" }]);
    await expect(other.query("SELECT * FROM note")).rejects.toThrow(/does not exist/);
    await first.drop();
    await expect(first.query("SELECT 1")).rejects.toThrow(/does not exist/);
  } finally {
    await cluster.end();
  }
  expect([await answers(cluster.port), existsSync(cluster.folder)]).toEqual([false, false]);
});
