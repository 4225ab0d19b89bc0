/** What agents do to empty folders, as data. */
import { bash, write } from "./scenario-calls.ts";
import type { Scenario } from "./scenarios.ts";

export const folderScenarios: readonly Scenario[] = [
  { name: "folder: a new one that stays empty", course: [[bash("mkdir new")]] },
  { name: "folder: new ones in each other and side by side", course: [[bash("mkdir -p a/b/c a/d src/deep/er")]] },
  { name: "folder: an empty one is removed", setUp: "mkdir -p kept gone/deep", course: [[bash("rm -r gone")]] },
  { name: "folder: the inner one of two is removed", setUp: "mkdir -p out/in", course: [[bash("rmdir out/in")]] },
  { name: "folder: an inner one comes", setUp: "mkdir out", course: [[bash("mkdir -p out/in/deeper")]] },
  { name: "folder: an empty one is renamed", setUp: "mkdir one", course: [[bash("mv one other")]] },
  { name: "folder: its only file is removed and it stays", course: [[bash("rm docs/guide.md docs/empty.txt")]] },
  { name: "folder: its only file goes first, then the folder", course: [[bash("rm docs/*"), bash("rmdir docs")]] },
  {
    name: "folder: its only files go, then the folder by another prompt",
    course: [[bash("rm docs/*")], [bash("rmdir docs")]],
  },
  { name: "folder: a file comes into an empty one", setUp: "mkdir box", course: [[write("box/f.txt", "1\n")]] },
  {
    name: "folder: a file comes and goes, and its folder stays",
    course: [[write("x/y/f.txt", "1\n"), bash("rm x/y/f.txt")]],
  },
  {
    name: "folder: a file comes and goes with its folder, and the outer one stays",
    course: [[write("x/y/f.txt", "1\n")], [bash("rm -r x/y")]],
  },
  {
    name: "folder: made by one prompt, filled by the next",
    course: [[bash("mkdir box")], [write("box/f.txt", "1\n")]],
  },
  { name: "folder: in the place of a file", course: [[bash("rm src/a.txt && mkdir src/a.txt")]] },
  { name: "folder: a file in its place", setUp: "mkdir -p box", course: [[bash("rmdir box && printf 1 > box")]] },
  { name: "folder: a link in its place", setUp: "mkdir -p box", course: [[bash("rmdir box && ln -s src box")]] },
  {
    name: "folder: a file gives way, comes back and gives way",
    course: [[bash("rm notes.txt; mkdir notes.txt")], [bash("rmdir notes.txt; printf 2 > notes.txt")]],
  },
  { name: "folder: made and removed by one prompt", course: [[bash("mkdir -p a/b"), bash("rm -r a")]] },
  {
    name: "folder: beside files in a new folder",
    course: [[bash("mkdir -p new/empty new/full && printf 1 > new/full/f")]],
  },
  {
    name: "folder: with odd names",
    course: [[bash("mkdir -p -- 'sp ace' \"$(printf 'li\\nne')\" 'ü/ß' '-x' ':(top)' '*'")]],
  },
  {
    name: "folder: without a repository",
    kind: "plain",
    setUp: "mkdir -p was/here",
    course: [[bash("rm -r was docs; mkdir -p now/here")]],
  },
  {
    name: "folder: with nothing but an ignored file of the user in it",
    setUp: "mkdir logs; printf 1 > logs/x.log",
    course: [[bash("printf 1 > logs/new.txt")], [bash("rm logs/new.txt")]],
  },
  {
    name: "folder: ignored from now on",
    setUp: "mkdir out",
    course: [[bash("printf 'out/\\n' >> .gitignore")], [bash("mkdir more")]],
  },
  {
    name: "folder: the user fills what the agent made, and makes others",
    course: [[bash("mkdir -p mine yours")], { user: "printf 1 > mine/f; mkdir -p users/own" }, [bash("rmdir yours")]],
  },
];
