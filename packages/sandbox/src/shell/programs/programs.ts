/** Every known program by its base name. */
import { textBeside } from "@kedge/protocol/text-file";
import { compileOptions } from "./option-set.ts";
import type { Program, Refine } from "./program-call.ts";
import { ownPrograms, refinements } from "./program-code.ts";
import type { ProgramRow } from "./program-row.ts";
import { openTable } from "./program-table.ts";
import { interpreter } from "./shapes/interpreter.ts";
import { ordinaryProgram } from "./shapes/ordinary-program.ts";
import { runner } from "./shapes/runner.ts";
import { withStarted } from "./shapes/starter.ts";
import { tool } from "./shapes/tool.ts";
import { wrapper } from "./shapes/wrapper.ts";

export const programTable = openTable(() => [
  textBeside(import.meta.url, "./rows/archives.jsonl"),
  textBeside(import.meta.url, "./rows/builtins.jsonl"),
  textBeside(import.meta.url, "./rows/interpreters.jsonl"),
  textBeside(import.meta.url, "./rows/network.jsonl"),
  textBeside(import.meta.url, "./rows/package-tools.jsonl"),
  textBeside(import.meta.url, "./rows/runners.jsonl"),
  textBeside(import.meta.url, "./rows/starters.jsonl"),
  textBeside(import.meta.url, "./rows/system-readers.jsonl"),
  textBeside(import.meta.url, "./rows/system-tools.jsonl"),
  textBeside(import.meta.url, "./rows/text-readers.jsonl"),
  textBeside(import.meta.url, "./rows/wrappers.jsonl"),
  textBeside(import.meta.url, "./rows/writers.jsonl"),
]);

const made = new Map<string, Program>();

export function findProgram(name: string): Program | undefined {
  const known = made.get(name);
  if (known !== undefined) return known;
  const row = programTable.find(name);
  if (row === undefined) return undefined;
  const program = makeProgram(row);
  made.set(name, program);
  return program;
}

function makeProgram(row: ProgramRow): Program {
  const { starts, looksAt, readsProject } = row;
  const program = starts === undefined ? shapeProgram(row) : withStarted(starts, shapeProgram(row));
  if (looksAt === undefined && !readsProject) return program;
  return (call, findings) => {
    program(call, findings);
    if (looksAt !== undefined) findings.looksAt = looksAt;
    if (readsProject) findings.readOnly = false;
  };
}

function shapeProgram(row: ProgramRow): Program {
  switch (row.shape) {
    case "ordinary":
      return ordinaryProgram(row, refinementOf(row));
    case "wrapper":
      return wrapper(row);
    case "runner":
      return runner(row, named(refinements, row.code));
    case "tool":
      return tool(row, refinementOf(row));
    case "interpreter":
      return interpreter(row, refinementOf(row));
    case "code": {
      const run = named(ownPrograms, row.code);
      const table = { row, options: compileOptions(row) };
      return (call, findings) => run({ ...call, table }, findings);
    }
    case "asks":
      return (_, findings) => {
        findings.suggestedWords = 0;
        findings.concerns.push(row.why);
      };
    case "starter":
      return () => {};
  }
}

function refinementOf({ code }: { readonly code?: string }): Refine | undefined {
  return code === undefined ? undefined : named(refinements, code);
}

function named<Code>(codes: Readonly<Record<string, Code>>, name: string): Code {
  const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
  if (code === undefined) throw new Error(`a row points to the code ${name}, which does not exist`);
  return code;
}
