/** `kedge demo`: a real task offline. The model is scripted; engine, tools, permissions, undo and journal are not. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Flags } from "../arguments/flags.ts";
import { type BrokenProject, makeBrokenProject, repairScript } from "../demo/broken-project.ts";
import { startModelServer } from "../demo/model-server.ts";
import { playDemo } from "../demo/play-demo.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings, type Surroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice } from "../output.ts";

/** Everything lives in a directory of its own, which is removed whatever happens. */
export async function runDemo(flags: Flags): Promise<number> {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "kedge-demo-")));
  try {
    const surroundings = demoSurroundings(temporary);
    const made = makeBrokenProject(surroundings.cwd, surroundings.environment);
    if (!made.ok) {
      writeNotice(made.sentence);
      return exitCodes.error;
    }
    return await runAgainstScript(made.project, surroundings, flags);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function runAgainstScript(project: BrokenProject, surroundings: Surroundings, flags: Flags): Promise<number> {
  const server = await startModelServer(repairScript(project.sourceFile));
  try {
    const home = surroundings.environment["KEDGE_HOME"] ?? "";
    const provider = { scripted: { api: "openai-chat", baseURL: server.baseURL, apiKey: "none" } };
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(join(home, "config.json"), JSON.stringify({ model: "scripted/model", provider }));
    const outcome = await startKedge({}, surroundings, { interactive: true });
    if (!outcome.ok) {
      writeDiagnostic(failureText(outcome.failure));
      return exitCodes.error;
    }
    const { kedge } = outcome.started;
    try {
      const answersItself = flags.yes === true || process.stdin.isTTY !== true;
      return (await playDemo({ kedge, project, answersItself })) ? exitCodes.success : exitCodes.error;
    } finally {
      await kedge.close();
      await kedge.store.close();
    }
  } finally {
    await server.close();
  }
}

/** The user's own configuration and home stay out of it; `node` means the one that runs kedge. */
function demoSurroundings(temporary: string): Surroundings {
  const { environment } = readSurroundings();
  const { KEDGE_CONFIG: _, ...inherited } = environment;
  const path = [dirname(process.execPath), environment["PATH"]].filter((part) => part !== undefined).join(delimiter);
  return {
    cwd: join(temporary, "project"),
    userDirectory: temporary,
    environment: { ...inherited, PATH: path, HOME: temporary, KEDGE_HOME: join(temporary, "home") },
  };
}
