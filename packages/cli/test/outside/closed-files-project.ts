/** A project with files that rules close to reading, each with a canary in every line, and every second name they can have. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Workbench } from "../workbench.ts";

export const canary = "canary7q";

export const closedRules = {
  read: {
    "secret/**": "deny",
    "*.key": "deny",
    "*.db": "deny",
    "drafts/*": "ask",
    "*.ipynb": "deny",
    "*.png": "deny",
    "src/closed.ts": "deny",
  },
};

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const pixelText = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";

export const closedFiles: { readonly [path: string]: string } = {
  "secret/plan.txt": `first ${canary} line\nalpha beta ${canary} gamma\nthird ${canary} line\n`,
  "secret/deep/er.md": `# ${canary}\n`,
  "app.key": `${canary}-key\nsecond ${canary}\n`,
  "sub/deep/inner.key": `${canary}-inner\n`,
  "drafts/post.md": `draft ${canary} text\n`,
  ".env": `NAME=${canary}\n`,
  "book.ipynb": JSON.stringify({
    cells: [{ id: "one", cell_type: "code", source: [`print("${canary}")`], metadata: {}, outputs: [] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
  "src/closed.ts": `export function closedFunction() {\n  return "${canary}";\n}\n`,
};

export function makeClosedProject({ project, directory }: Workbench, { committed = false } = {}): void {
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...argv], { cwd: project, stdio: "ignore" });
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  put("open.txt", "an open file\nwith two lines\n");
  put("src/open.ts", "export function openFunction() {\n  return 1;\n}\n");
  git("add", "-A");
  git("commit", "-qm", "open");
  for (const [path, text] of Object.entries(closedFiles)) put(path, text);
  put("pixel.png", pixel);
  const database = new DatabaseSync(join(project, "users.db"));
  database.exec(`create table users (id integer primary key, name text); insert into users values (1, '${canary}')`);
  database.close();
  if (committed) {
    git("add", "-A");
    git("commit", "-qm", "closed");
    put("secret/plan.txt", `${closedFiles["secret/plan.txt"]}changed ${canary}\n`);
    git("stash");
    git("stash", "apply");
  }
  const inProject = { cwd: project, stdio: "ignore" } as const;
  execFileSync("tar", ["cf", "bundle.tar", "secret", "app.key", ".env", "open.txt"], inProject);
  execFileSync("tar", ["czf", "bundle.tgz", "./secret", "./app.key", "open.txt"], inProject);
  execFileSync("python3", ["-c", zipScript], inProject);
  symlinkSync("secret/plan.txt", join(project, "link.txt"));
  symlinkSync("link.txt", join(project, "link2.txt"));
  symlinkSync("secret", join(project, "pub"));
  linkSync(join(project, "secret/plan.txt"), join(project, "hard.txt"));
  linkSync(join(project, "app.key"), join(project, "hardkey.txt"));
  symlinkSync(join(project, "app.key"), join(directory, "outside-link"));
  mkdirSync(join(directory, ".ssh"), { recursive: true });
  writeFileSync(join(directory, ".ssh", "id_rsa"), `${canary}-ssh\n`);
}

const zipScript = `
import zipfile
z = zipfile.ZipFile("bundle.zip", "w")
for name in ["secret/plan.txt", "app.key", ".env", "open.txt"]: z.write(name)
z.writestr("x/../secret/plan.txt", open("secret/plan.txt").read())
z.writestr("nested/app.key", open("app.key").read())
z.close()
y = zipfile.ZipFile("outer.zip", "w")
y.write("bundle.zip")
y.close()
`;
