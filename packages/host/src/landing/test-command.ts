/** How the tests of a project are run: as settings say, or as its files suggest. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";

/** A file that tells which tool a project is tested with. Read in this order. */
const signs: readonly (readonly [file: string, command: (text: string) => string | undefined])[] = [
  ["package.json", npmTest],
  ["Cargo.toml", () => "cargo test"],
  ["go.mod", () => "go test ./..."],
  ["pyproject.toml", (text) => (text.includes("pytest") ? "python3 -m pytest" : "python3 -m unittest")],
  ["pytest.ini", () => "python3 -m pytest"],
  ["pom.xml", () => "mvn --quiet test"],
  ["build.gradle", () => "gradle test"],
  ["Makefile", (text) => (/^test:/m.test(text) ? "make test" : undefined)],
];

/** A guess: whoever runs it asks first. */
export function detectTestCommand(root: string): string | undefined {
  for (const [file, commandOf] of signs) {
    const path = join(root, file);
    const command = existsSync(path) ? commandOf(readFileSync(path, "utf8")) : undefined;
    if (command !== undefined) return command;
  }
  return undefined;
}

function npmTest(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const scripts = isJsonObject(value) ? value["scripts"] : undefined;
    const test = isJsonObject(scripts) ? scripts["test"] : undefined;
    // What npm writes into every new package.
    return typeof test === "string" && !test.includes("no test specified") ? "npm test" : undefined;
  } catch {
    return undefined;
  }
}
