/** The picture that the clipboard of the desktop holds, by the programs that desktops bring. */
import { execFile } from "node:child_process";
import { childEnvironment, createProcessTie, thisProcess } from "@kedge/host";
import { FailureError, type Media } from "@kedge/protocol";
import { mediaTypeOf } from "../attachments/attachments.ts";
import { terminalTexts } from "../texts/terminal.ts";

type Reader = { readonly program: string; readonly words: readonly string[]; readonly variable?: string };

const readers: readonly Reader[] = [
  { program: "wl-paste", words: ["--type", "image/png"], variable: "WAYLAND_DISPLAY" },
  { program: "xclip", words: ["-selection", "clipboard", "-t", "image/png", "-o"], variable: "DISPLAY" },
  { program: "pngpaste", words: ["-"] },
];

const pictureBytesMax = 32 * 1024 * 1024;
const waitMs = 3_000;

type Environment = { readonly [name: string]: string | undefined };

/** A sentence when there is none. A program that hangs ends with this process. */
export async function readClipboardImage(environment: Environment): Promise<Media | string> {
  const tie = createProcessTie(thisProcess());
  try {
    const env = tie.environment(childEnvironment(environment, { scrub: true }));
    for (const { program, words, variable } of readers) {
      if (variable !== undefined && environment[variable] === undefined) continue;
      const content = await printed(program, words, env);
      const mediaType = content === undefined ? undefined : mediaTypeOf(content);
      if (content === undefined || mediaType === undefined) continue;
      return { name: "clipboard.png", mediaType, base64: content.toString("base64") };
    }
  } catch (error) {
    // Nobody could watch over it, because the machine has nothing left.
    if (!(error instanceof FailureError)) throw error;
    return error.failure.message;
  } finally {
    tie.close();
  }
  return terminalTexts.noImage;
}

function printed(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const options = { encoding: "buffer", maxBuffer: pictureBytesMax, timeout: waitMs, env } as const;
    // A program that is missing or finds nothing leaves the next one to try.
    execFile(program, [...words], options, (error, output) => resolve(error === null ? output : undefined));
  });
}
