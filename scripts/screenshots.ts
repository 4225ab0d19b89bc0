/**
 * Draws the pictures and recordings of the documents from the real program: `node scripts/screenshots.ts [name …]`.
 * `--size 80x24 --out <directory>` draws the scenes at another size, to be looked at.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Cell, openScene } from "@kedge/testing/screen-terminal";
import { lookedAtScenes } from "./looked-at-scenes.ts";
import { type RecordingScene, recordingScenes } from "./recording-scenes.ts";
import { buildApart } from "./terminal-build.ts";
import { drawPicture } from "./terminal-picture.ts";
import { drawRecording, type Frame } from "./terminal-recording.ts";
import { looks, type PictureScene, pictureScenes } from "./terminal-scenes.ts";

const pictures = resolve(import.meta.dirname, "../docs/img");
const quietMs = 700;

type Drawings = { readonly [name: string]: (entry: string) => Promise<string> };
type Size = { readonly columns: number; readonly rows: number };

async function main(words: readonly string[]): Promise<number> {
  const { values, positionals: names } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { size: { type: "string" }, out: { type: "string" } },
  });
  const [, columns, rows] = /^(\d+)x(\d+)$/.exec(values.size ?? "") ?? [];
  if ((values.size === undefined) !== (values.out === undefined) || (values.size !== undefined && rows === undefined)) {
    process.stderr.write("Pass both --size, such as 80x24, and --out, or neither.\n");
    return 2;
  }
  const directory = values.out ?? pictures;
  const drawings =
    rows === undefined ? drawingsOfDocuments() : drawingsOf({ columns: Number(columns), rows: Number(rows) });
  const unknown = names.find((name) => drawings[name] === undefined);
  if (unknown !== undefined) {
    process.stderr.write(`Unknown scene "${unknown}". Choose from ${Object.keys(drawings).join(", ")}.\n`);
    return 2;
  }
  const program = await buildApart();
  const failed: string[] = [];
  mkdirSync(directory, { recursive: true });
  try {
    for (const [name, drawing] of Object.entries(drawings)) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        const path = join(directory, `${name}.svg`);
        writeFileSync(path, await drawing(program.entry));
        process.stdout.write(`${path}\n`);
      } catch (error) {
        // The other pictures are drawn all the same.
        failed.push(name);
        process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  } finally {
    program.remove();
  }
  return failed.length === 0 ? 0 : 1;
}

function drawingsOfDocuments(): Drawings {
  return {
    ...mapScenes(pictureScenes, (scene) => (entry) => draw(entry, scene)),
    ...mapScenes(recordingScenes, (scene) => (entry) => record(entry, scene)),
  };
}

function drawingsOf(size: Size): Drawings {
  return mapScenes(
    { ...pictureScenes, ...lookedAtScenes },
    (scene) => (entry) => draw(entry, { ...scene, options: { ...scene.options, ...size } }),
  );
}

function mapScenes<Of, To>(scenes: { readonly [name: string]: Of }, make: (scene: Of) => To) {
  return Object.fromEntries(Object.entries(scenes).map(([name, scene]) => [name, make(scene)] as const));
}

async function draw(entry: string, { title, options, turns, play }: PictureScene): Promise<string> {
  const scene = await openScene({ entry, script: turns, ...options });
  try {
    await play(scene);
    await scene.terminal.settled(quietMs);
    const colors = options.background === looks.light.background ? looks.light : looks.dark;
    return drawPicture(withoutHome(scene.terminal.cells(), scene.home), { title, ...colors });
  } finally {
    await scene.close();
  }
}

async function record(entry: string, { title, options, turns, play }: RecordingScene): Promise<string> {
  const scene = await openScene({ entry, script: turns, ...options });
  const frames: Frame[] = [];
  try {
    await play(scene, (milliseconds) => {
      frames.push({ cells: withoutHome(scene.terminal.cells(), scene.home), milliseconds });
    });
    return drawRecording(frames, { title, ...looks.dark });
  } finally {
    await scene.close();
  }
}

/** The home of a scene has another name each time; the row is drawn as if it were called `~`. */
function withoutHome(rows: readonly (readonly Cell[])[], home: string): readonly (readonly Cell[])[] {
  return rows.map((row) => {
    const text = row.map((cell) => cell.text[0] ?? "\u0000").join("");
    const start = text.indexOf(home);
    const first = row[start];
    if (first === undefined) return row;
    // What is lost in the row comes back as blanks before the edge of the box it stands in.
    const edge = /\s*│?\s*$/.exec(text)?.index ?? row.length;
    const gap = Array.from({ length: home.length - 1 }, () => ({ ...first, text: " ", isUnderlined: false }));
    return [
      ...row.slice(0, start),
      { ...first, text: "~" },
      ...row.slice(start + home.length, edge),
      ...gap,
      ...row.slice(edge),
    ];
  });
}

process.exitCode = await main(process.argv.slice(2));
