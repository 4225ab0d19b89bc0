/** A PostgreSQL server of our own for tests: in a temporary folder, on loopback, gone when the process is. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { chownSync, globSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import pg from "pg";

export type TestDatabase = {
  readonly name: string;
  readonly url: string;
  /** Runs statements behind the back of whoever uses the database. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
};

export type PostgresCluster = {
  readonly port: number;
  /** Everything that it has. */
  readonly folder: string;
  /** Empty, or a copy of one that nobody is connected to. */
  newDatabase(from?: TestDatabase): Promise<TestDatabase>;
  /** `crash` writes nothing more, as a power cut would. */
  stop(how: "fast" | "crash"): Promise<void>;
  start(): Promise<void>;
  /** Ends it for good and removes its folder. */
  end(): Promise<void>;
};

const user = "kedge";
const password = "a secret of the tests";

/**
 * Waits for words on its input, and ends the server when that is closed: so the server never outlives whoever started
 * it, not even after `kill -9`. The first trap keeps a Ctrl-C for the tests from coming before that.
 */
const script = `
set -eu
trap '' HUP INT TERM PIPE
bin=$1 folder=$2 port=$3 password=$4
control() { "$bin/pg_ctl" -D "$folder/data" -w -t 60 "$@" >>"$folder/control.log" 2>&1; }
clean() { control -m immediate stop || true; rm -rf "$folder"; }
trap clean EXIT
options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c fsync=off -c full_page_writes=off"
options="$options -c shared_buffers=32MB -c max_connections=60 -c wal_level=minimal -c max_wal_senders=0"
printf '%s' "$password" >"$folder/password"
"$bin/initdb" -D "$folder/data" -U ${user} -A scram-sha-256 --pwfile="$folder/password" --no-sync -E UTF8 --locale=C \\
  >"$folder/initdb.log" 2>&1 || { echo "failed $(tail -1 "$folder/initdb.log")"; exit 1; }
start() {
  control -l "$folder/server.log" -o "$options" start && echo started || echo "failed $(tail -1 "$folder/server.log")"
}
start
while read -r word; do
  case $word in
    start) start ;;
    fast) control -m fast stop && echo stopped ;;
    crash) control -m immediate stop && echo stopped ;;
    end) break ;;
  esac
done
clean
trap - EXIT
echo ended
`;

/** Of the newest release that is installed; Debian keeps the programs out of the path. */
function findPostgresPrograms(): string {
  const folders = [
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/usr/local/bin",
    "/usr/bin",
  ];
  const found = folders
    .flatMap((folder) => globSync(`${folder}/initdb`))
    .sort((left, right) => release(right) - release(left));
  const [first] = found;
  if (first === undefined) throw new Error("PostgreSQL is not installed; ./test does so.");
  return join(first, "..");
}

function release(path: string): number {
  return Number(/\d+/.exec(path)?.[0] ?? 0);
}

let cluster: Promise<PostgresCluster> | undefined;

/** One for all tests of a worker. */
export function sharedPostgres(): Promise<PostgresCluster> {
  cluster ??= startPostgres();
  return cluster;
}

const endConnections = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1";

export async function startPostgres(): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), "kedge-postgres-"));
  const port = await freePort();
  const child = asOrdinaryUser(folder, [
    "sh",
    "-c",
    script,
    "sh",
    findPostgresPrograms(),
    folder,
    String(port),
    password,
  ]);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  // Tests end when they are done; the server then follows.
  for (const stream of [child, child.stdin, child.stdout, child.stderr]) {
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
  const answers = answersOf(lines);
  await answers.next("started");
  const tell = (word: string, answer: string) => {
    child.stdin?.write(`${word}\n`);
    return answers.next(answer);
  };
  const host = "127.0.0.1";
  const urlOf = (name: string) => `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
  let databases = 0;
  return {
    port,
    folder,
    async newDatabase(from) {
      databases += 1;
      const name = `test_${databases}`;
      // The server may not have noticed yet that nobody uses it any more, and copies none that is used.
      if (from !== undefined) await query(urlOf("postgres"), endConnections, [from.name]);
      await query(urlOf("postgres"), `CREATE DATABASE ${name} TEMPLATE ${from?.name ?? "template0"}`);
      return {
        name,
        url: urlOf(name),
        query: (text, values) => query(urlOf(name), text, values),
        drop: async () => void (await query(urlOf("postgres"), `DROP DATABASE ${name} WITH (FORCE)`)),
      };
    },
    stop: (how) => tell(how, "stopped"),
    start: () => tell("start", "started"),
    end: () => tell("end", "ended"),
  };
}

async function query(url: string, text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await (values.length === 0 ? client.query(text) : client.query(text, [...values]));
    return result.rows as readonly Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root. */
function asOrdinaryUser(folder: string, command: readonly string[]): ChildProcess {
  const options: SpawnOptions = { cwd: folder, detached: true, stdio: ["pipe", "pipe", "ignore"] };
  if (process.getuid?.() !== 0) return spawn(command[0] ?? "sh", command.slice(1), options);
  const nobody = 65_534;
  chownSync(folder, nobody, nobody);
  const environment = { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C" };
  return spawn(command[0] ?? "sh", command.slice(1), { ...options, env: environment, uid: nobody, gid: nobody });
}

function answersOf(lines: Interface) {
  const said: string[] = [];
  let waiting: ((line: string) => void) | undefined;
  const take = (line: string) => {
    if (waiting === undefined) said.push(line);
    else waiting(line);
    waiting = undefined;
  };
  lines.on("line", take);
  // After its last line, and not when the process is gone, which may be told first.
  lines.on("close", () => take("failed: the server ended"));
  return {
    async next(expected: string): Promise<void> {
      // A pending answer keeps the process alive; otherwise nothing here does.
      const alive = setInterval(() => undefined, 1_000);
      const line = said.shift() ?? (await new Promise<string>((resolve) => (waiting = resolve)));
      clearInterval(alive);
      if (line !== expected) throw new Error(`PostgreSQL: ${line}`);
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
