/** Draws calls of every tool that sees files, on closed files, under any name that such a file can be given. */
import { linkSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createSeededRandom, type MockToolCall } from "@kedge/testing";
import type { Workbench } from "../workbench.ts";
import { canary, closedFiles, makeClosedProject, pixelText } from "./closed-files-project.ts";

const closed: readonly string[] = Object.keys(closedFiles);
const slug = (path: string) => path.replaceAll(/\W/g, "_");

/** The project of the closed files, with links to each of them. */
export function makeLinkedProject(bench: Workbench): void {
  makeClosedProject(bench);
  const at = (path: string) => join(bench.project, path);
  for (const path of closed) {
    symlinkSync(at(path), at(`soft_${slug(path)}`));
    symlinkSync(`soft_${slug(path)}`, at(`chain_${slug(path)}`));
    linkSync(at(path), at(`hard_${slug(path)}`));
    symlinkSync(dirname(at(path)), at(`folder_${slug(path)}`));
  }
}

type Form = (path: string, project: string) => string;

const forms: readonly Form[] = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `src/../${path}`,
  (path) => `src/.././src//../${path}`,
  (path, project) => join(project, path),
  (path, project) => `${project}//src/..//${path}`,
  (path, project) => `../${basename(project)}/${path}`,
  (path) => `/proc/self/cwd/${path}`,
  (path, project) => `/proc/self/root${join(project, path)}`,
  (path) => `/dev/fd/../../proc/self/cwd/${path}`,
  (path) => `soft_${slug(path)}`,
  (path) => `chain_${slug(path)}`,
  (path) => `hard_${slug(path)}`,
  (path) => `folder_${slug(path)}/${basename(path)}`,
  (path) => `folder_${slug(path)}/./${basename(path)}`,
  (path) => `${path}/.`,
  (path) => ` ${path}`,
  (path) => `"${path}"`,
  (path, project) => `file://${join(project, path)}`,
  (path, project) => `file://${join(project, path).replaceAll("e", "%65")}`,
];

type Way = (path: string) => MockToolCall;

const call = (name: string, input: object): MockToolCall => ({ name, input });
const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

const ways: readonly Way[] = [
  (filePath) => call("read", { filePath }),
  (filePath) => call("read", { filePath: `${filePath}:1-3` }),
  (filePath) => call("read", { filePath: `${filePath}:raw` }),
  (filePath) => call("read", { filePath, offset: 1, limit: 2 }),
  (path) => call("grep", { pattern: ".", path }),
  (path) => call("grep", { pattern: "[a-z]", path: dirname(path), mode: "content", gitignore: false }),
  (path) => call("grep", { pattern: ".*", include: basename(path) }),
  (path) => call("grep", { pattern: ".", paths: [path, "open.txt"], context: 9 }),
  (pattern) => call("glob", { pattern }),
  (path) => call("list", { path: dirname(path) }),
  (path) => call("ast_grep", { pat: "return $A", paths: [path] }),
  (path) => call("ast_grep", { pat: "$A", paths: [dirname(path)] }),
  (path) => call("ast_edit", { ops: [{ pat: "return $A", out: "return 2" }], paths: [path] }),
  (path) => call("codesearch", { query: "closed function that returns", path }),
  (filePath) => call("edit", { filePath, oldString: "no such line", newString: "x" }),
  (filePath) => call("multi_edit", { filePath, edits: [{ oldString: "nothing", newString: "y" }] }),
  (filePath) => call("write", { filePath, content: "first\n" }),
  (path) => call("edit_lines", { input: `[${path}#0000]\nSWAP 1.=1:\nnew` }),
  (path) => call("notebook_edit", { path, cellId: "one", mode: "replace", source: "x" }),
  (path) => call("apply_patch", { patch: patch(`*** Update File: ${path}`, "@@", "-nothing", "+x") }),
  (path) => call("apply_patch", { patch: patch(`*** Update File: ${path}`, "*** Move to: moved.txt", "@@") }),
  (filePath) => call("batch", { calls: [{ tool: "read", input: { filePath } }] }),
  (path) => call("webfetch", { url: path, format: "text" }),
];

export type Drawn<Made> = (project: string) => Made;

export function drawCalls(count: number): readonly Drawn<MockToolCall>[] {
  const of = createDraw();
  return Array.from({ length: count }, () => {
    const [way, form, path] = [of(ways), of(forms), of(closed)];
    return (project) => way(form(path, project));
  });
}

/** Names as a prompt mentions them. */
export function drawMentions(count: number): readonly Drawn<string>[] {
  const of = createDraw();
  return Array.from({ length: count }, () => {
    const [form, path] = [of(forms), of(closed)];
    return (project) => form(path, project);
  });
}

function createDraw() {
  const random = createSeededRandom();
  return <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item;
}

/** The canary in the ways in which a tool may print it. */
export function tellsClosed(output: string): boolean {
  return output.includes(pixelText) || new RegExp(`${canary}|q7yranac|Y2FuYXJ5N|63616e61727937`, "i").test(output);
}
