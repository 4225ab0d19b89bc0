/** The user's editor gets the text and the user's variables, and no secret of kedge or of a vendor. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readClipboardImage } from "../terminal/clipboard-image.ts";
import { editText } from "./edit-text.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-editor-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const secrets = {
  KEDGE_SERVER_TOKEN: "canary-own",
  KEDGE_API_KEY: "canary-own",
  ANTHROPIC_API_KEY: "canary-vendor",
  AWS_SECRET_ACCESS_KEY: "canary-cloud",
};

function environmentWith(more: { readonly [name: string]: string }) {
  return { ...secrets, PATH: `${directory}:${process.env["PATH"]}`, MY_EDITOR_THEME: "dark", ...more };
}

/** Writes down the environment it was started with. */
function putProgram(name: string, more: string): void {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\nenv > '${join(directory, "seen.txt")}'\n${more}\n`);
  chmodSync(file, 0o755);
}

function seen(): readonly string[] {
  const lines = readFileSync(join(directory, "seen.txt"), "utf8").split("\n");
  return lines.filter((line) => line.includes("canary") || line.startsWith("MY_EDITOR"));
}

test("an editor changes the text and sees no secret", async () => {
  putProgram("my-editor", `[ "$1" = --wait ] && printf 'changed\\n' > "$2"`);
  const edited = await editText("first", environmentWith({ EDITOR: "my-editor --wait" }));
  expect(edited).toEqual({ ok: true, text: "changed" });
  expect(seen()).toEqual(["MY_EDITOR_THEME=dark"]);
});

test("an editor that fails changes nothing", async () => {
  putProgram("my-editor", `printf 'changed\\n' > "$1"; exit 3`);
  expect(await editText("first", environmentWith({ VISUAL: "my-editor" }))).toEqual({
    ok: false,
    sentence: "The editor my-editor exited with code 3. Nothing changed.",
  });
});

test("the program that reads the clipboard sees no secret", async () => {
  const picture = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  writeFileSync(join(directory, "picture"), picture);
  putProgram("xclip", `cat '${join(directory, "picture")}'`);
  expect(await readClipboardImage(environmentWith({ DISPLAY: ":0" }))).toEqual({
    name: "clipboard.png",
    mediaType: "image/png",
    base64: picture.toString("base64"),
  });
  expect(seen()).toEqual(["MY_EDITOR_THEME=dark"]);
  expect(readFileSync(join(directory, "seen.txt"), "utf8"), "it ends with kedge").toMatch(/^KEDGE_TIE=\S+$/m);
});
