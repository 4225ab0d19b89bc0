/** Draws the pictures and recordings of the documents from the real program: `node scripts/screenshots.ts [name …]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Cell, openScene } from "@kedge/testing/screen-terminal";
import { type RecordingScene, recordingScenes } from "./recording-scenes.ts";
import { buildApart } from "./terminal-build.ts";
import { drawPicture } from "./terminal-picture.ts";
import { drawRecording, type Frame } from "./terminal-recording.ts";
import { looks, type PictureScene, pictureScenes } from "./terminal-scenes.ts";

const pictures = resolve(import.meta.dirname, "../docs/img");
const quietMs = 700;

async function main(names: readonly string[]): Promise<number> {
  const drawings: { readonly [name: string]: (entry: string) => Promise<string> } = {
    ...mapScenes(pictureScenes, (scene) => (entry) => draw(entry, scene)),
    ...mapScenes(recordingScenes, (scene) => (entry) => record(entry, scene)),
  };
  const unknown = names.find((name) => drawings[name] === undefined);
  if (unknown !== undefined) {
    process.stderr.write(`Unknown scene "${unknown}". Choose from ${Object.keys(drawings).join(", ")}.\n`);
    return 2;
  }
  const program = await buildApart();
  const failed: string[] = [];
  mkdirSync(pictures, { recursive: true });
  try {
    for (const [name, drawing] of Object.entries(drawings)) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        writeFileSync(join(pictures, `${name}.svg`), await drawing(program.entry));
        process.stdout.write(`docs/img/${name}.svg\n`);
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
