/** On a system whose shell is not bash no command is understood, so that every one asks. */
import { expect, test } from "vitest";
import { createShellReading } from "./shell-reading.ts";

const place = {
  cwd: "/w",
  root: "/w",
  home: "/home/dev",
  lookAtPath: () => ({ place: "inside" as const, otherNames: [] }),
};

async function readingOn(platform: string) {
  const reading = createShellReading({
    redefined: () => [],
    programOfProject: () => undefined,
    untrustedGitProgram: () => undefined,
    platform,
  });
  await reading.load();
  return reading;
}

test.each(["dir", "git status", "Get-ChildItem | Remove-Item", "echo %PATH% & del x"])(
  "%s is not read as bash where PowerShell or cmd runs it",
  async (command) => {
    const { analyse } = await readingOn("win32");
    expect(analyse(command, place)).toEqual({
      ...{ commands: [], files: [], concerns: [], readOnly: false, looksAt: "files" },
      unknown: "commands of this system's shell cannot be analyzed",
    });
  },
);

test("elsewhere the same text is understood", async () => {
  const { analyse } = await readingOn("linux");
  expect(analyse("git status", place)).toMatchObject({ readOnly: true });
});
