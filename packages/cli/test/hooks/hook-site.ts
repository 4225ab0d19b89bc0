/** A workbench whose project and user have hooks: scripts that log what they were told and answer as a test says. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { openWorkbench, type Workbench } from "../workbench.ts";

export type Logged = { readonly [name: string]: unknown };

export type HookSite = Workbench & {
  /** Below the project; scripts are made executable. */
  write(path: string, content: string | object): void;
  /** What hooks logged, one object per line. */
  log(): readonly Logged[];
};

/** Logs what it was told, in three languages; what follows says how it answers. */
export const scripts = {
  bash: (answer: string) =>
    `#!/bin/bash\nread -r line\nprintf '%s\\n' "$line" >> "$KEDGE_PROJECT_DIR/hooks.log"\n${answer}\n`,
  python: (answer: string) =>
    `#!/usr/bin/env python3\nimport json, os, sys\nevent = json.load(sys.stdin)\nwith open(os.environ["CLAUDE_PROJECT_DIR"] + "/hooks.log", "a") as log:\n    log.write(json.dumps(event) + "\\n")\n${answer}\n`,
  node: (answer: string) =>
    `#!/usr/bin/env node\nconst fs = require("node:fs");\nconst event = JSON.parse(fs.readFileSync(0, "utf8"));\nfs.appendFileSync(process.env.CLAUDE_PROJECT_DIR + "/hooks.log", JSON.stringify(event) + "\\n");\n${answer}\n`,
};

export async function openHookSite(script: MockScript, settings: object = {}): Promise<HookSite> {
  const bench = await openWorkbench(script, { ...settings });
  const log = join(bench.project, "hooks.log");
  return {
    ...bench,
    write(path, content) {
      const whole = join(bench.project, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
      if (typeof content === "string" && content.startsWith("#!")) chmodSync(whole, 0o755);
    },
    log: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as Logged)
        : [],
  };
}

export const command = (path: string) => ({ type: "command", command: `"$CLAUDE_PROJECT_DIR"/${path}` });
