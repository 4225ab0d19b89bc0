/** Proves that what a command prints loses secrets before it is shown live, cut or kept, however it arrives. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@kedge/memory";
import { createSeededRandom } from "@kedge/testing";
import { createArtifacts, createOutputSink } from "@kedge/tools";
import { afterEach, beforeEach, expect, test } from "vitest";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-output-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const random = createSeededRandom();
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const draw = (length: number) => Array.from({ length }, () => letters[random.below(62)]).join("");
const key = "own key with blanks";
const makers = [
  () => `gh${"p_"}${draw(36)}`,
  () => `export DB_PASSWORD=Pw1${draw(20)}`,
  () => `-----BEGIN PRIVATE ${"KEY"}-----\n${draw(64)}\n${draw(64)}\n${draw(64)}\n-----END PRIVATE ${"KEY"}-----`,
  () => `Authorization: Bearer T1${draw(30)}`,
  () => `\u001b[32mgl${"pat-"}${draw(20)}\u001b[0m`,
  () => key,
];

/** The random words of a secret: none of them may be seen. */
const wordsOf = (secret: string) => (secret === key ? [key] : (secret.match(/[A-Za-z0-9]{18,}/g) ?? []));

test("in pieces of any size, at the edge of what is kept, in a long line, beside the other stream", () => {
  for (let round = 0; round < 60; round += 1) {
    const secrets = Array.from({ length: 4 }, () => makers[random.below(makers.length)]?.() ?? "");
    const filler = () =>
      random.below(2) === 0 ? `${"word ".repeat(random.below(300))}\n` : `${"x".repeat(random.below(900))} `;
    const text = secrets.map((secret) => `${filler()}${secret}\n${filler()}`).join("");
    const redactor = createRedactor({ values: () => [key] });
    const artifacts = createArtifacts({ directory: join(directory, `${round}`), redactor });
    let live = "";
    const sink = createOutputSink({
      ...{ headBytes: 400, tailBytes: 300, now: () => 0, redactor },
      onProgress: (chunk) => {
        live += chunk;
      },
      openArtifact: () => artifacts.create("bash"),
    });
    for (let start = 0; start < text.length; ) {
      const end = start + 1 + random.below(round % 3 === 0 ? 9 : 400);
      sink.write(text.slice(start, end), "stdout");
      if (random.below(4) === 0) sink.write("noise on the other stream\n", "stderr");
      start = end;
    }
    const { output, artifactId } = sink.dump();
    const path = artifactId === undefined ? undefined : artifacts.pathOf(artifactId);
    const whole = path === undefined ? "" : readFileSync(path, "utf8");
    for (const word of secrets.flatMap(wordsOf)) {
      const seen = { live: live.includes(word), output: output.includes(word), whole: whole.includes(word) };
      expect(seen, `seed ${random.seed}, round ${round}: ${word}`).toEqual({
        live: false,
        output: false,
        whole: false,
      });
    }
    for (const shown of [live, output, whole]) {
      const halves = secrets
        .flatMap(wordsOf)
        .filter((word) => shown.includes(word.slice(0, 12)) || shown.includes(word.slice(-12)));
      expect(halves, `seed ${random.seed}, round ${round}`).toEqual([]);
    }
  }
});
