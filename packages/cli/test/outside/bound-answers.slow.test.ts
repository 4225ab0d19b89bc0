/** Changes what a question was about before it is answered over HTTP: the answer must not cover it. */
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";

type Case = {
  readonly name: string;
  readonly call: { readonly name: string; readonly input: object };
  readonly prepare: (at: (path: string) => string) => void;
  readonly change: (at: (path: string) => string) => void;
};

const bash = (command: string) => ({ name: "bash", input: { command, description: "x" } });
const good = "echo good >> done.txt\n";
const evil = "echo evil >> done.txt\n";
const script = (
  name: string,
  command: string,
  file: string,
  text: { readonly good: string; readonly evil: string } = { good, evil },
): Case => ({
  name,
  call: bash(command),
  prepare: (at) => {
    mkdirSync(join(at(file), ".."), { recursive: true });
    writeFileSync(at(file), text.good);
    chmodSync(at(file), 0o755);
  },
  change: (at) => writeFileSync(at(file), text.evil),
});
const packageJson = (line: string) => JSON.stringify({ name: "x", scripts: { test: line.trim() } });

const cases: readonly Case[] = [
  script("a script", "bash run.sh", "run.sh"),
  script("a script that runs itself", "./run.sh", "run.sh", { good: `#!/bin/sh\n${good}`, evil: `#!/bin/sh\n${evil}` }),
  script("a sourced script", ". ./lib.sh", "lib.sh"),
  script("source", "source lib.sh && echo x > y.txt", "lib.sh"),
  script("a script as input", "bash < run.sh", "run.sh"),
  script("a script through a pipe", "cat run.sh | bash", "run.sh"),
  script("a script behind env", "env A=1 nice -n 1 bash run.sh", "run.sh"),
  script("a script behind timeout", "timeout 5 ./run.sh", "run.sh", {
    good: `#!/bin/sh\n${good}`,
    evil: `#!/bin/sh\n${evil}`,
  }),
  script("a script in another directory", "cd tools && bash ../run.sh", "run.sh", {
    good: "echo good >> ../done.txt\n",
    evil: "echo evil >> ../done.txt\n",
  }),
  script("python", "python3 run.py", "run.py", {
    good: "open('done.txt','a').write('good')\n",
    evil: "open('done.txt','a').write('evil')\n",
  }),
  script("python -m", "python3 -m run", "run.py", {
    good: "open('done.txt','a').write('good')\n",
    evil: "open('done.txt','a').write('evil')\n",
  }),
  script("node", "node run.js", "run.js", {
    good: "require('fs').appendFileSync('done.txt','good')\n",
    evil: "require('fs').appendFileSync('done.txt','evil')\n",
  }),
  script("node without suffix", "node run", "run.js", {
    good: "require('fs').appendFileSync('done.txt','good')\n",
    evil: "require('fs').appendFileSync('done.txt','evil')\n",
  }),
  script("node --require", "node --require ./run.js -e 0", "run.js", {
    good: "require('fs').appendFileSync('done.txt','good')\n",
    evil: "require('fs').appendFileSync('done.txt','evil')\n",
  }),
  script("a directory with index.js", "node folder", "folder/index.js", {
    good: "require('fs').appendFileSync('done.txt','good')\n",
    evil: "require('fs').appendFileSync('done.txt','evil')\n",
  }),
  script("perl", "perl run.pl", "run.pl", {
    good: "open F,'>>done.txt';print F 'good';\n",
    evil: "open F,'>>done.txt';print F 'evil';\n",
  }),
  script("awk -f", "awk -f run.awk /dev/null", "run.awk", {
    good: 'BEGIN{print "good" >> "done.txt"}\n',
    evil: 'BEGIN{print "evil" >> "done.txt"}\n',
  }),
  script("sed -f", "sed -i -f run.sed done.txt", "run.sed", { good: "s/x/good/\n", evil: "s/x/evil/\n" }),
  script("make", "make thing", "Makefile", { good: `thing:\n\t${good}`, evil: `thing:\n\t${evil}` }),
  script("make -f", "make -f other.mk thing", "other.mk", { good: `thing:\n\t${good}`, evil: `thing:\n\t${evil}` }),
  script("make -C", "make -C sub thing", "sub/Makefile", {
    good: "thing:\n\techo good >> ../done.txt\n",
    evil: "thing:\n\techo evil >> ../done.txt\n",
  }),
  script("npm test", "npm test", "package.json", { good: packageJson(good), evil: packageJson(evil) }),
  script("npm --prefix", "npm --prefix sub test", "sub/package.json", {
    good: packageJson("echo good >> ../done.txt"),
    evil: packageJson("echo evil >> ../done.txt"),
  }),
  script("a git hook", "git -c user.name=a -c user.email=a@b.c commit --allow-empty -m x", ".git/hooks/pre-commit", {
    good: `#!/bin/sh\n${good}`,
    evil: `#!/bin/sh\n${evil}`,
  }),
  script("a git alias", "git thing", ".git/config", {
    good: "[core]\n\trepositoryformatversion = 0\n[alias]\n\tthing = !echo good >> done.txt\n",
    evil: "[core]\n\trepositoryformatversion = 0\n[alias]\n\tthing = !echo evil >> done.txt\n",
  }),
  script("find -exec", "find . -name run.sh -exec bash {} \\;", "run.sh"),
  script("xargs", "echo run.sh | xargs bash", "run.sh"),
  script("a script in PATH of the call", "PATH=$PWD/bin:$PATH thing", "bin/thing", {
    good: `#!/bin/sh\n${good}`,
    evil: `#!/bin/sh\n${evil}`,
  }),
  script("BASH_ENV", "BASH_ENV=run.sh bash -c true", "run.sh"),
  script("git apply", "git apply change.diff", "change.diff", {
    good: "--- /dev/null\n+++ b/done.txt\n@@ -0,0 +1 @@\n+good\n",
    evil: "--- /dev/null\n+++ b/done.txt\n@@ -0,0 +1 @@\n+evil\n",
  }),
  script("patch", "patch -p1 < change.diff", "change.diff", {
    good: "--- a/done.txt\n+++ b/done.txt\n@@ -0,0 +1 @@\n+good\n",
    evil: "--- a/done.txt\n+++ b/done.txt\n@@ -0,0 +1 @@\n+evil\n",
  }),
  script("cp", "cp from.txt done.txt", "from.txt", { good: "good\n", evil: "evil\n" }),
  {
    name: "a link to a script",
    call: bash("bash run.sh"),
    prepare: (at) => {
      writeFileSync(at("a.sh"), good);
      writeFileSync(at("b.sh"), evil);
      symlinkSync("a.sh", at("run.sh"));
    },
    change: (at) => {
      rmSync(at("run.sh"));
      symlinkSync("b.sh", at("run.sh"));
    },
  },
  {
    name: "a directory that is swapped",
    call: bash("bash tools/run.sh"),
    prepare: (at) => {
      mkdirSync(at("other"));
      writeFileSync(at("tools/run.sh"), good);
      writeFileSync(at("other/run.sh"), evil);
    },
    change: (at) => {
      renameSync(at("tools"), at("gone"));
      symlinkSync("other", at("tools"));
    },
  },
  {
    name: "a file to write that becomes a link out",
    call: { name: "write", input: { filePath: "note.txt", content: "evil\n" } },
    prepare: () => {},
    change: (at) => symlinkSync("done.txt", at("note.txt")),
  },
  {
    name: "a redirection whose directory becomes a link",
    call: bash("echo evil > tools/done.txt"),
    prepare: () => {},
    change: (at) => {
      rmSync(at("tools"), { recursive: true });
      symlinkSync(".", at("tools"));
    },
  },
  {
    name: "a working directory that is swapped",
    call: { name: "bash", input: { command: "bash run.sh", description: "x", workdir: "tools" } },
    prepare: (at) => {
      mkdirSync(at("other"));
      writeFileSync(at("tools/run.sh"), "echo good >> ../done.txt\n");
      writeFileSync(at("other/run.sh"), "echo evil >> ../done.txt\n");
    },
    change: (at) => {
      renameSync(at("tools"), at("gone"));
      renameSync(at("other"), at("tools"));
    },
  },
];

test("an answer does not cover what changed after the question", async () => {
  const wrong: string[] = [];
  const script = (request: MockRequest): MockTurn => {
    const last = JSON.stringify(request.body.messages?.at(-1) ?? {});
    const chosen = /case number (\d+)!/.exec(last)?.[1];
    return chosen === undefined ? { text: "Done." } : { toolCalls: [(cases[Number(chosen)] as Case).call] };
  };
  const bench = await openWorkbench(script);
  const server = bench.start(["serve", "--json", "--port", "0"]);
  try {
    let head = "";
    server.stdout.on("data", (chunk: Buffer) => {
      head += chunk.toString();
    });
    await expect.poll(() => head).toContain("url");
    const { url, token } = JSON.parse(head) as { readonly url: string; readonly token: string };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // The test looks at members that it knows of the answers.
      return (await answer.json()) as Record<string, never>;
    };
    const at = (path: string) => join(bench.project, path);
    for (const [number, { name, prepare, change }] of cases.entries()) {
      for (const path of [
        "tools",
        "other",
        "gone",
        "sub",
        "bin",
        "folder",
        "run.sh",
        "done.txt",
        "note.txt",
        "package.json",
        ".git/hooks/pre-commit",
      ])
        rmSync(at(path), { recursive: true, force: true });
      mkdirSync(at("tools"));
      if (/sed/.test(name)) writeFileSync(at("done.txt"), "x\n");
      if (name === "patch") writeFileSync(at("done.txt"), "");
      prepare(at);
      const { sessionId } = await call("POST", "/session", {});
      await call("POST", `/session/${sessionId}/prompt_async`, { text: `case number ${number}!` });
      const pending = async () => {
        const found = await call("GET", "/permission");
        const list = (Array.isArray(found) ? found : Object.values(found).find(Array.isArray)) as readonly {
          readonly requestId?: string;
          readonly id?: string;
        }[];
        return list[0]?.requestId ?? list[0]?.id;
      };
      const settled = async (not?: string) => {
        for (;;) {
          const id = await pending();
          if (id !== undefined && id !== not) return id;
          const status = JSON.stringify(await call("GET", `/session/${sessionId}`));
          if (id === undefined && /"(?:status|state)":"?(?:idle|ended)|"busy":false|"isRunning":false/.test(status))
            return undefined;
          const messages = JSON.stringify(await call("GET", `/session/${sessionId}/message`));
          if (id === undefined && messages.includes("Done.")) return undefined;
        }
      };
      const first = await settled();
      if (first === undefined) {
        wrong.push(`${name}: nobody was asked`);
        continue;
      }
      change(at);
      await call("POST", `/permission/${first}`, { reply: "once" });
      const second = await settled(first);
      const done = existsSync(at("done.txt")) ? readFileSync(at("done.txt"), "utf8") : "";
      if (done.includes("evil"))
        wrong.push(
          `${name}: ${second === undefined ? "not asked again" : "asked again"}, done.txt has ${JSON.stringify(done)}`,
        );
      if (second !== undefined) await call("POST", `/permission/${second}`, { reply: "reject" });
      if (second !== undefined) await call("POST", `/session/${sessionId}/abort`, {});
    }
    expect(wrong).toEqual([]);
  } finally {
    server.kill("SIGTERM");
    await once(server, "close");
    await bench.close();
  }
}, 170_000);
