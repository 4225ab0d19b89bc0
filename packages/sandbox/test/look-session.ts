/** A program that runs commands in the read-only view as whoever runs it, while services of its own wait for visitors. */
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createLookView } from "../src/confinement/look/look-view.ts";

export type LookPlan = {
  readonly temporaryRoot: string;
  readonly roots: readonly string[];
  readonly home: string;
  readonly own: readonly string[];
  readonly shown: readonly string[];
  /** Hidden beside every `.env`. */
  readonly hidden: readonly string[];
  /** Hidden because a rule closes them. */
  readonly closed?: readonly string[];
  readonly places: readonly string[];
  /** Opened for the commands although they are hidden. */
  readonly opened: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
  /** Runs each outside of the view as well. */
  readonly compares?: true;
};

export type LookedAt = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: { readonly blocked?: string; readonly note?: string };
  readonly outside?: { readonly code: number | null; readonly stdout: string; readonly stderr: string };
};

export type LookResult = {
  readonly results: readonly (LookedAt | { readonly problem: string })[];
  /** How many connections came to the services of this process. */
  readonly visits: number;
};

// It was written by the test beside it.
const plan = JSON.parse(await text(process.stdin)) as LookPlan;
let visits = 0;
const servers = [
  await listen("127.0.0.1"),
  await listen(join(plan.temporaryRoot, "socket")),
  await listen(`\0kedge-${process.pid}`),
];
const address = servers[0]?.address();
const port = typeof address === "object" && address !== null ? address.port : 0;
const environment = {
  ...plan.environment,
  KEDGE_PID: `${process.pid}`,
  PORT: `${port}`,
  SOCKET: join(plan.temporaryRoot, "socket"),
  ABSTRACT: `kedge-${process.pid}`,
  NODE: process.execPath,
};
const view = createLookView({
  ...plan,
  platform: process.platform,
  architecture: process.arch,
  isRoot: process.getuid?.() === 0,
  now: () => Date.now(),
});
const hidden = {
  isHidden: (path: string) => basename(path) === ".env" || [...plan.hidden, ...(plan.closed ?? [])].includes(path),
  isClosedByRule: (path: string) => plan.closed?.includes(path) ?? false,
  places: plan.places,
};

const results: LookResult["results"][number][] = [];
for (const command of plan.commands) results.push(await look(command));
view.close();
for (const server of servers) server.close();
const result: LookResult = { results, visits };
process.stdout.write(JSON.stringify(result));

async function look(command: string): Promise<LookResult["results"][number]> {
  const started = { file: "/bin/bash", args: ["-c", command], cwd: plan.cwd, environment };
  const wrapped = await view.wrap(started, {
    hidden,
    shown: plan.opened,
    ...(command === "git status --short" && { onlyNames: true as const }),
    ...(command === "git log -p" && { histories: [plan.cwd] }),
  });
  if ("problem" in wrapped) return wrapped;
  const inside = await collect(wrapped.file, wrapped.args, wrapped);
  await wrapped.release();
  const { code: exitCode, stdout, stderr: complaint } = inside;
  const outcome = wrapped.outcomeOf({ exitCode, hasOutput: stdout !== "", complaint, shown: stdout });
  if (!plan.compares) return { ...inside, outcome };
  return { ...inside, outcome, outside: await collect(started.file, started.args, { environment, descriptors: [] }) };
}

async function collect(
  file: string,
  args: readonly string[],
  start: { readonly environment: Readonly<Record<string, string>>; readonly descriptors: readonly number[] },
) {
  const child = spawn(file, [...args], {
    cwd: plan.cwd,
    env: { ...start.environment, PWD: plan.cwd },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ignore", ...start.descriptors],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const [stdout = "", stderr = ""] = await Promise.all(
    child.stdio.slice(1, 3).map((pipe) => (pipe instanceof Readable ? text(pipe) : "")),
  );
  return { code: await exited, stdout, stderr };
}

function listen(place: string): Promise<Server> {
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  return new Promise((resolve) => {
    if (place === "127.0.0.1") server.listen(0, place, () => resolve(server));
    else server.listen(place, () => resolve(server));
  });
}
