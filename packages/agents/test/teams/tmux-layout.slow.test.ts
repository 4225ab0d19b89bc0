/** The layout of panes in a real tmux: the leader keeps its part, five workers share the rest, whoever comes first. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBackends, type RunProgram } from "../../src/teams/index.ts";

let folder = "";
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kt-layout-")));
  const { TMUX: _, TMUX_PANE: __, ...rest } = process.env;
  env = { ...rest, TMUX_TMPDIR: folder };
});
afterEach(() => {
  tmux("kill-server");
  rmSync(folder, { recursive: true, force: true });
});

function tmux(...words: readonly string[]): string {
  return execFileSync("tmux", ["-L", "user", "-f", "/dev/null", ...words], { env, encoding: "utf8" }).trim();
}

/** As a program in a pane of the user's tmux runs others. */
function insideOf(socket: string): RunProgram {
  return ([program = "", ...words]) =>
    new Promise((resolve) =>
      execFile(program, words, { env: { ...env, TMUX: `${socket},1,0` } }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, stdout, stderr }),
      ),
    );
}

type Shown = { readonly id: string; readonly left: number; readonly width: number; readonly height: number };

function panes(): readonly Shown[] {
  const format = "#{pane_id} #{pane_left} #{pane_width} #{pane_height}";
  return tmux("list-panes", "-t", "work", "-F", format)
    .split("\n")
    .map((line) => {
      const [id = "", left, width, height] = line.split(" ");
      return { id, left: Number(left), width: Number(width), height: Number(height) };
    });
}

test("five workers that start at once stand on the right, and the leader keeps 30 % on the left", async () => {
  tmux("new-session", "-d", "-s", "work", "-x", "200", "-y", "60", "cat");
  const [leader] = panes();
  const socket = tmux("display-message", "-p", "-t", "work", "#{socket_path}");
  const notices: string[] = [];
  const backends = createBackends({
    run: insideOf(socket),
    wish: "auto",
    environment: { TMUX: `${socket},1,0`, TMUX_PANE: leader?.id ?? "" },
    hasProgram: true,
    socket: "unused",
    settle: () => new Promise((resolve) => setTimeout(resolve, 200)),
    onNotice: (sentence) => void notices.push(sentence),
  });
  const names = ["one", "two", "three", "four", "five"];
  const opened = await Promise.all(names.map((title) => backends.open({ title, command: ["cat"], cwd: folder })));
  expect(notices).toEqual([]);
  const shown = panes();
  expect(shown).toHaveLength(6);
  expect(new Set(opened.map((pane) => pane?.paneId)).size).toBe(5);
  const own = shown.find(({ id }) => id === leader?.id);
  expect(own).toMatchObject({ left: 0, height: 60 });
  const width = own?.width ?? 0;
  expect([59, 60]).toContain(width);
  const workers = shown.filter(({ id }) => id !== leader?.id);
  expect(new Set(workers.map(({ left }) => left))).toEqual(new Set([width + 1]));
  expect(new Set(workers.map((each) => each.width))).toEqual(new Set([200 - width - 1]));
  const heights = workers.map(({ height }) => height);
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(2);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(10);
  expect(tmux("list-panes", "-t", "work", "-F", "#{pane_title}").split("\n").toSorted()).toEqual(
    expect.arrayContaining(names.toSorted()),
  );
});
