/** The scratch machine of the red team: a project, a home full of secrets, a listener, and what changed on them. */
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import type { RedTeamCase } from "./red-team-case.ts";
import { hostileFiles, pristineProject } from "./red-team-project.ts";
import { secretFiles } from "./red-team-secrets.ts";

export type Ground = {
  readonly directory: string;
  /** Stands last in the path. */
  readonly programs: string;
  readonly project: string;
  readonly home: string;
  readonly kedgeHome: string;
  /** In the environment of everything that is started on this ground. */
  readonly mark: string;
  fill(text: string): string;
  /** Puts everything back and lays out the files of a case. */
  prepare(given: RedTeamCase): void;
  /** What is not as `prepare` left it, and who called. */
  changes(): readonly string[];
  /** Processes that were started on this ground and still run. */
  leftOver(): readonly string[];
  close(): Promise<void>;
};

/** Git refreshes its index when it looks, and npm writes its log for every script: both are no acts. */
const unwatched = new Set([".git/index", ".npm"]);

/** With stand-ins for programs that this machine lacks: each springs the trap, whatever it is asked. */
export async function openGround(standIns: readonly string[] = []): Promise<Ground> {
  // Not in the temporary directory, of which a confined command has one of its own.
  const directory = realpathSync(mkdtempSync("/var/tmp/kedge-red-team-"));
  const mark = randomUUID();
  const temporary = `kedge-red-team-${mark}`;
  const [project, home, kedgeHome, outside, pristine] = ["project", "home", "kedge", "outside", "pristine"].map(
    (name) => join(directory, name),
  ) as [string, string, string, string, string];
  for (const path of [project, home, kedgeHome, outside, pristine]) mkdirSync(path);
  let calls = 0;
  const listener = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening));
  const { port } = listener.address() as AddressInfo;
  const datagrams = createSocket("udp4", () => {
    calls += 1;
  });
  await new Promise<void>((bound) => datagrams.bind(port, "127.0.0.1", bound));

  const places: { readonly [name: string]: string } = {
    OUT: outside,
    HOME: home,
    KEDGE: kedgeHome,
    PROJECT: project,
    TMP: `/tmp/${temporary}`,
    PORT: String(port),
  };
  const programs = join(directory, "programs");
  mkdirSync(programs);
  const fill = (text: string) => text.replaceAll(/@([A-Z]+)@/g, (whole, name: string) => places[name] ?? whole);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fill(content));
    chmodSync(path, content.startsWith("#!") ? 0o755 : 0o644);
  };
  for (const [path, content] of Object.entries(secretFiles)) write(fill(path), content);
  for (const name of standIns) write(join(programs, name), "#!/bin/bash\nexec @PROJECT@/trap.sh\n");
  for (const [path, content] of Object.entries({ ...pristineProject, ...hostileFiles })) {
    write(join(pristine, path), content);
  }
  execFileSync("tar", ["cf", "x.tar", "README.md", "notes.md"], { cwd: pristine });
  commitAll(pristine);
  for (const [path, content] of Object.entries(secretFiles)) {
    if (path.startsWith("@PROJECT@/")) write(join(pristine, path.slice("@PROJECT@/".length)), content);
  }

  const watch = () =>
    new Map([
      ...listing(project, "project"),
      ...listing(home, "home"),
      ...listing(outside, "outside"),
      ...readdirSync("/tmp")
        .filter((name) => name.startsWith(temporary))
        .map((name): [string, string] => [`/tmp/${name}`, "there"]),
      ["credentials", digest(join(kedgeHome, "credentials.json"))],
      ["settings", digest(join(kedgeHome, "config.json"))],
    ] as [string, string][]);
  let before = new Map<string, string>();
  let pristineHome: string | undefined;
  let touched = true;
  const differences = () => {
    const now = watch();
    return [...new Set([...before.keys(), ...now.keys()])]
      .filter((path) => before.get(path) !== now.get(path))
      .sort()
      .map((path) => `${!before.has(path) ? "made" : !now.has(path) ? "removed" : "changed"} ${path}`);
  };
  const removeTemporary = () => {
    for (const name of readdirSync("/tmp")) {
      if (name.startsWith(temporary)) rmSync(join("/tmp", name), { recursive: true, force: true });
    }
  };
  const restore = (homeBefore: string) => {
    empty(project);
    cpSync(pristine, project, { recursive: true });
    empty(home);
    cpSync(homeBefore, home, { recursive: true });
    empty(outside);
    writeFileSync(join(outside, "kept"), "kept\n");
    removeTemporary();
  };
  return {
    directory,
    programs,
    project,
    home,
    kedgeHome,
    mark,
    fill,
    prepare({ files, prepare }) {
      pristineHome ??= copyOf(home, join(directory, "pristine-home"));
      // Most cases lay nothing out and change nothing, and copying is what costs time here.
      if (touched || differences().length > 0) restore(pristineHome);
      touched = files !== undefined || prepare !== undefined;
      for (const [path, content] of Object.entries(files ?? {})) write(join(project, fill(path)), content);
      if (prepare !== undefined) {
        // A trap that is laid is not to be sprung by those who lay it.
        const env = { PATH: process.env["PATH"], HOME: home, PREPARING: "1" };
        execFileSync("bash", ["-c", fill(prepare)], { cwd: project, env, stdio: "pipe" });
      }
      calls = 0;
      before = watch();
    },
    changes: () => [...differences(), ...(calls > 0 ? [`${calls} connections`] : [])],
    leftOver: () => processesWith(mark),
    async close() {
      removeTemporary();
      rmSync(directory, { recursive: true, force: true });
      await new Promise((closed) => listener.close(closed));
      await new Promise<void>((closed) => datagrams.close(closed));
    },
  };
}

function copyOf(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

function empty(directory: string): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true });
}

function commitAll(project: string): void {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...words], { cwd: project });
  git("init", "--quiet", "--template=", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=First");
  writeFileSync(join(project, "notes.md"), "# Notes\n\none\ntwo\nthree\n");
  git("commit", "--quiet", "--all", "--message=Second");
  writeFileSync(join(project, "notes.md"), "# Notes\n\none\ntwo\nthree\nfour\n");
}

function listing(root: string, name: string): readonly [string, string][] {
  const found: [string, string][] = [];
  const visit = (directory: string, shown: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      const label = `${shown}/${entry.name}`;
      if (unwatched.has(label.slice(name.length + 1))) continue;
      const { mode } = lstatSync(path);
      if (entry.isDirectory()) {
        found.push([label, `directory ${mode}`]);
        visit(path, label);
      } else if (entry.isSymbolicLink()) found.push([label, `link ${readlinkSync(path)}`]);
      else found.push([label, `${mode} ${entry.isFile() ? digest(path) : "special"}`]);
    }
  };
  visit(root, name);
  return found;
}

const digest = (path: string) => createHash("sha1").update(readFileSync(path)).digest("hex");

function processesWith(mark: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

/** Empty for a process that is gone by now. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
