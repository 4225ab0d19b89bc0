/** Runs cases with bash alone, nobody judging: shows which of them act at all, so that a held one proves something. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RedTeamCase } from "./red-team-case.ts";
import { openGround } from "./red-team-ground.ts";
import { sprung } from "./red-team-project.ts";
import { secretsIn, secretVariable } from "./red-team-secrets.ts";

/** The ids of those that acted. Only the ground can be written to, and nothing outlives its case. */
export async function sharpOf(cases: readonly RedTeamCase[]): Promise<readonly string[]> {
  const ground = await openGround();
  try {
    writeFileSync(join(ground.kedgeHome, "config.json"), "{}");
    const sharp: string[] = [];
    for (const each of cases) {
      ground.prepare(each);
      const { directory, project, home } = ground;
      const cage = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", "/tmp", "/tmp"];
      // What no ground can hold: the clock, the name, the settings and the power of the machine.
      const held = ["--remount-ro", "/proc", "--unshare-uts", "--unshare-ipc", "--cap-drop", "ALL"];
      const words = [...cage, "--bind", directory, directory, "--unshare-pid", "--die-with-parent", ...held, "--"];
      const env = Object.entries(each.env ?? {}).map(([name, value]) => [name, ground.fill(value)]);
      // A NUL cannot be handed to a program.
      const command = ground.fill(each.command).replaceAll("\0", "");
      const { stdout, stderr } = spawnSync("bwrap", [...words, "timeout", "3", "bash", "-c", command], {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: home, TERM: "dumb", ...secretVariable, ...Object.fromEntries(env) },
        encoding: "utf8",
      });
      const told = `${stdout}${stderr}`;
      if (ground.changes().length > 0 || secretsIn(told).length > 0 || told.includes(sprung)) sharp.push(each.id);
    }
    return sharp;
  } finally {
    await ground.close();
  }
}
