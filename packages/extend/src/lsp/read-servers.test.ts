import { expect, test } from "vitest";
import { readServers } from "./read-servers.ts";
import { serverTable } from "./server-table.ts";

const source = { origin: ".lsp.json", directory: "/p", isOfProject: true };

test("a file as other agents write it is read with all of its fields", () => {
  const entry = {
    command: "./bin/server",
    args: ["--stdio"],
    extensionToLanguage: { ".foo": "foo", Makefile: "make" },
    transport: "stdio",
    env: { FOO: "1", LD_PRELOAD: "evil.so", path: "/evil" },
    initializationOptions: { a: 1 },
    settings: { foo: { b: 2 } },
    workspaceFolder: "sub",
    startupTimeout: 5_000,
    shutdownTimeout: 900_000,
    maxRestarts: 99,
    diagnostics: false,
  };
  expect(readServers({ foo: entry }, [], source)).toEqual({
    servers: [
      {
        name: "foo",
        origin: ".lsp.json",
        isOfProject: true,
        markers: [],
        languages: { ".foo": "foo", makefile: "make" },
        commands: [["/p/bin/server", "--stdio"]],
        environment: { FOO: "1" },
        initialization: { a: 1 },
        settings: { foo: { b: 2 } },
        workspaceFolder: "/p/sub",
        startMsMax: 5_000,
        stopMsMax: 120_000,
        restartsMax: 3,
        diagnoses: false,
      },
    ],
    problems: [],
    disabled: [],
  });
});

test("what cannot be used is named, and stops no other", () => {
  const entries = {
    socket: { command: "x", extensionToLanguage: { ".x": "x" }, transport: "socket" },
    nothing: 1,
    commandless: { extensionToLanguage: { ".x": "x" } },
    everywhere: { command: "x" },
    off: { disabled: true },
    good: { command: "x", extensionToLanguage: { x: "x" } },
  };
  const { servers, problems, disabled } = readServers(entries, [], source);
  expect(servers.map(({ name, languages }) => [name, languages])).toEqual([["good", { ".x": "x" }]]);
  expect(problems).toEqual([
    { name: "socket", why: 'its transport "socket" is not supported, only stdio' },
    { name: "nothing", why: "it is not an object" },
    { name: "commandless", why: "it has no command" },
    { name: "everywhere", why: "it has no file extensions" },
  ]);
  expect(disabled).toEqual(["off"]);
});

test("variables of a plugin are filled in where something is started", () => {
  const of = (name: string) => `$\{${name}}`;
  const entry = {
    command: `${of("PLUGIN")}/server`,
    args: ["--data", `${of("PLUGIN")}/data`, of("OTHER")],
    env: { DATA: of("PLUGIN") },
    extensionToLanguage: { ".x": "x" },
    settings: { template: of("PLUGIN") },
  };
  const plugin = { ...source, origin: "plugin", isOfProject: false, variables: { PLUGIN: "/plugins/x" } };
  expect(readServers({ x: entry }, [], plugin).servers).toEqual([
    {
      ...{ name: "x", origin: "plugin", markers: [], languages: { ".x": "x" } },
      commands: [["/plugins/x/server", "--data", "/plugins/x/data", of("OTHER")]],
      environment: { DATA: "/plugins/x" },
      settings: { template: of("PLUGIN") },
    },
  ]);
});

test("what is no object has no servers", () => {
  for (const entries of [undefined, null, [], "x", 1])
    expect(readServers(entries, [], source)).toEqual({ servers: [], problems: [], disabled: [] });
});

test("settings change a server of the table by its name and leave the rest of it", () => {
  const settings = { origin: "settings", directory: "/p", isOfProject: false };
  const [python] = readServers({ python: { command: ["pylsp"] } }, serverTable, settings).servers;
  const row = serverTable.find(({ name }) => name === "python");
  expect(python).toEqual({ ...row, origin: "settings", commands: [["pylsp"]] });
});

test("every extension and name of the table is written once and in lower case", () => {
  const names = serverTable.map(({ name }) => name);
  const extensions = serverTable.flatMap(({ languages }) => Object.keys(languages));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(extensions.map((extension) => extension.toLowerCase())).toEqual(extensions);
});
