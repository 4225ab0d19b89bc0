/** Proves with the real program that every command and every action answers `--help`, and how mistyped ones are met. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench([]);
});
afterAll(() => bench.close());

test("every command that the help lists answers --help", async () => {
  const { stdout: help } = await bench.run(["--help"]);
  const commands = [...help.matchAll(/^ {2}kedge ([a-z]+) /gm)].map(([, name = ""]) => name);
  expect(commands).toContain("session");
  const answers = await Promise.all(
    commands.map(async (name) => {
      const { code, stdout, stderr } = await bench.run([name, "--help"]);
      return {
        name,
        code,
        stderr,
        tellsItsUsage: stdout.startsWith(`kedge ${name}`) && stdout.includes("\nExamples\n"),
      };
    }),
  );
  expect(answers).toEqual(commands.map((name) => ({ name, code: 0, stderr: "", tellsItsUsage: true })));
});

test("kedge help <command> is kedge <command> --help", async () => {
  const asked = await bench.run(["help", "session", "export"]);
  expect(asked).toEqual(await bench.run(["session", "export", "--help"]));
  expect(asked.stdout).toContain("--without-tool-output");
});

test("what is not known is told with the nearest that is", async () => {
  expect(await bench.run(["sessions"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Unknown command sessions. Did you mean session? To send it as a prompt, put it after --.\n",
  });
  expect(await bench.run(["help", "nothing-like-it"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Unknown command nothing-like-it.\n",
  });
  expect((await bench.run(["-p", "x", "--bogus"])).stderr).toBe("kedge: Unknown flag --bogus.\n");
});
