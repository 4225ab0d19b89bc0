/** The process of a teammate in a pane: shows what it does, takes what is typed there, and ends with its terminal. */
import { readLaunch, type TeamDesk, type Teammate } from "@kedge/host/teams";
import { type Event, showTerminalControls } from "@kedge/protocol";
import { parseArguments } from "../arguments/arguments.ts";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { readLines } from "../read-lines.ts";
import { teammateTexts } from "../texts/servers.ts";

/** Its leader writes the file once the pane is there. */
const launchWaitMs = 20_000;
const lineCharactersMax = 100_000;

export async function runTeammate(path: string): Promise<number> {
  // From the first moment: a pane that is closed before anything began leaves nothing behind.
  const ending = new AbortController();
  using _ = onEndSignal(() => ending.abort(), { signals: ["SIGTERM", "SIGHUP", "SIGQUIT"] });
  const launch = await readLaunch(path, launchWaitMs);
  if (launch === undefined || ending.signal.aborted) {
    writeNotice(teammateTexts.notByHand);
    return exitCodes.usage;
  }
  // A terminal server has the variables of its own start, not those of the leader.
  for (const [name, value] of Object.entries(launch.environment)) if (value !== undefined) process.env[name] = value;
  process.chdir(launch.cwd);
  const { name, team } = launch;
  writeResult(teammateTexts.greeting(name, team));
  const outcome = await startKedge(plainFlags(), readSurroundings(), {
    interactive: launch.interactive,
    isEmbedded: true,
  });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return exitCodes.error;
  }
  const { kedge } = outcome.started;
  try {
    const teams = await kedge.teams();
    const started = await (teams as TeamDesk).serve(launch, ending.signal);
    if (!started.ok) {
      writeDiagnostic(failureText(started.failure));
      return exitCodes.error;
    }
    return await work(started.value, outcome.started, ending);
  } finally {
    await kedge.close();
  }
}

async function work(teammate: Teammate, { kedge }: Started, ending: AbortController): Promise<number> {
  const interrupt = () => void teammate.interrupt();
  process.on("SIGINT", interrupt);
  const unfollow = kedge.engine.subscribe(teammate.sessionId, print);
  void listen(teammate, ending);
  try {
    const why = await teammate.ended;
    writeResult(`\n${endTexts[why]}\n`);
    return exitCodes.success;
  } finally {
    unfollow();
    process.off("SIGINT", interrupt);
    process.stdin.destroy();
  }
}

const endTexts = {
  shutdown: teammateTexts.shutDown,
  stopped: teammateTexts.ended,
  "leader-gone": teammateTexts.leaderExited,
} as const;

/** What is typed here is said by the user. Closed input ends the teammate. */
async function listen(teammate: Teammate, ending: AbortController): Promise<void> {
  try {
    for await (const { text } of readLines(process.stdin, {
      charactersMax: lineCharactersMax,
      signal: ending.signal,
    })) {
      if (text !== undefined && text.trim() !== "") await teammate.type(text);
    }
  } catch (error) {
    // A terminal that was closed cannot be read.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  ending.abort();
}

function print(event: Event): void {
  if (event.kind !== "fact") return;
  const { fact } = event.record;
  if (fact.type === "tool.started") writeResult(`· ${shown(`${fact.tool} ${fact.inputText}`).slice(0, 160)}\n`);
  else if (fact.type === "prompt.admitted") writeResult(`> ${shown(fact.text)}\n`);
  else if (fact.type === "run.ended") writeResult(`${shown(fact.text ?? "")}\n\n`);
}

function shown(text: string): string {
  return showTerminalControls(text.split("\n", 1)[0] ?? "");
}

/** Nobody gives flags to a teammate: what its leader has is in the file. */
function plainFlags(): Flags {
  const parsed = parseArguments([]);
  if (!parsed.ok || !("flags" in parsed.invocation)) throw new Error("An empty command line has flags.");
  return parsed.invocation.flags;
}
