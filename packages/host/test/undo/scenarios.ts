/** What agents and users do to files, as data: each scenario is undone and redone prompt by prompt. */
import { bash, edit, multiEdit, notebook, patch, read, together, write } from "./scenario-calls.ts";
import type { SiteKind, Step } from "./undo-site.ts";

export type Scenario = {
  readonly name: string;
  /** A repository unless it says otherwise. */
  readonly kind?: SiteKind;
  /** What the user has done before. */
  readonly setUp?: string;
  /** Prompts of the agent, and what the user does between them. */
  readonly course: readonly (readonly Step[] | { readonly user: string })[];
  /** Exactly what undo says that it does not cover. */
  readonly uncovered?: readonly string[];
};

const editing: readonly Scenario[] = [
  { name: "a new file", course: [[write("new.txt", "new\n")]] },
  { name: "a new file in new folders", course: [[write("x/y/z/new.txt", "new\n")]] },
  { name: "an edit", course: [[edit("src/a.txt", "beta", "BETA")]] },
  { name: "an edit of other line ends", course: [[edit("src/crlf.txt", "two", "three")]] },
  {
    name: "edits of one file by three prompts",
    course: [[edit("src/a.txt", "alpha", "1")], [edit("src/a.txt", "beta", "2")], [edit("src/a.txt", "gamma", "3")]],
  },
  { name: "several pieces of a file", course: [[multiEdit("src/a.txt", ["alpha", "a"], ["gamma", "g"])]] },
  {
    name: "a patch that adds, changes, moves and deletes",
    course: [
      [
        read("src/a.txt"),
        read("docs/empty.txt"),
        patch(
          "*** Add File: added.txt",
          "+added",
          "*** Update File: src/a.txt",
          "@@",
          "-beta",
          "+patched",
          "*** Delete File: docs/empty.txt",
        ),
      ],
    ],
  },
  { name: "a cell of a notebook", course: [[notebook("2+2")], [notebook("3+3")]] },
  {
    name: "a file made, changed and deleted by one prompt",
    course: [[write("t.txt", "1"), edit("t.txt", "1", "2"), bash("rm t.txt")]],
  },
  {
    name: "a file made by one prompt and deleted by the next",
    course: [[write("t.txt", "1")], [bash("rm t.txt")], [write("t.txt", "again")]],
  },
  {
    name: "several calls in one step",
    course: [[together(write("p.txt", "1"), write("q.txt", "2"), bash("rm src/a.txt"), write("r.txt", "3"))]],
  },
  { name: "a file of the user that was never added", course: [[edit("notes.txt", "never", "ever")]] },
  {
    name: "outside of a repository: edits and new files",
    kind: "plain",
    course: [[edit("src/a.txt", "beta", "B"), write("new.txt", "n")], [bash("rm -r src")]],
  },
  { name: "nothing changed by a command", course: [[bash("true")], [bash("ls > /dev/null")]] },
];

const shell: readonly Scenario[] = [
  { name: "a move", course: [[bash("mv src/a.txt src/b.txt")]] },
  { name: "a move to another folder and back", course: [[bash("mv docs other")], [bash("mv other docs")]] },
  {
    name: "a rename by case only",
    course: [[bash("mv src/a.txt src/A.TXT")], [bash("mv src/A.TXT src/a.txt && mv docs Docs")]],
  },
  {
    name: "two files that change places",
    course: [[bash("mv src/a.txt t && mv src/crlf.txt src/a.txt && mv t src/crlf.txt")]],
  },
  { name: "deletion of a folder", course: [[bash("rm -rf src docs")]] },
  {
    name: "deletion of everything",
    course: [[bash("rm -rf src docs notes.txt link-to-file link-to-folder dangling book.ipynb .gitignore")]],
  },
  {
    name: "deletion and the same name again",
    course: [
      [bash("rm src/a.txt; printf other > src/a.txt")],
      [bash("rm src/a.txt")],
      [bash("printf third > src/a.txt")],
    ],
  },
  {
    name: "an executable bit set and taken",
    course: [[bash("chmod +x src/a.txt; chmod -x src/run.sh")], [bash("chmod -x src/a.txt")]],
  },
  { name: "an executable bit and content at once", course: [[bash("printf x > src/run.sh; chmod -x src/run.sh")]] },
  {
    name: "a file for a folder",
    course: [[bash("rm -r docs && printf file > docs")], [bash("rm docs && mkdir docs && printf in > docs/in.txt")]],
  },
  {
    name: "a folder for a file",
    course: [
      [bash("rm src/a.txt && mkdir -p src/a.txt/deep && printf x > src/a.txt/deep/f")],
      [bash("rm -r src/a.txt && printf y > src/a.txt")],
    ],
  },
  {
    name: "a folder for a file and a file for a folder, step by step",
    course: [
      [
        bash("rm src/a.txt"),
        bash("mkdir src/a.txt"),
        bash("printf x > src/a.txt/f"),
        bash("rm -r docs"),
        bash("printf x > docs"),
      ],
    ],
  },
  {
    name: "a link for a file",
    course: [[bash("rm src/a.txt && ln -s run.sh src/a.txt")], [bash("rm src/a.txt && printf y > src/a.txt")]],
  },
  {
    name: "a link for a folder",
    course: [[bash("mv docs kept && ln -s kept docs")], [bash("rm docs && mv kept docs")]],
  },
  {
    name: "a folder for a link",
    course: [[bash("rm link-to-folder && mkdir link-to-folder && printf x > link-to-folder/a.txt")]],
  },
  {
    name: "links to a file, a folder, nowhere and outside",
    course: [
      [bash("ln -s src/run.sh l1; ln -s docs l2; ln -s no/where l3; ln -s /etc/hostname l4; ln -s ../../.. l5")],
      [bash("rm l1 l2 l3 l4 l5")],
    ],
  },
  {
    name: "links that lead elsewhere",
    course: [[bash("ln -sfn docs/guide.md link-to-file; ln -sfn docs link-to-folder; ln -sfn other dangling")]],
  },
  { name: "links that are removed", course: [[bash("rm link-to-file link-to-folder dangling")]] },
  {
    name: "content through a link",
    course: [[bash("printf changed > link-to-file; printf new > link-to-folder/new.txt")]],
  },
  {
    name: "binary files",
    course: [
      [bash("printf '\\0\\377\\376x' > src/data.bin; head -c 70000 /dev/urandom > rnd.bin")],
      [bash("printf '\\0' >> rnd.bin; rm src/data.bin")],
    ],
  },
  { name: "empty files", course: [[bash(": > src/a.txt; : > e1; rm docs/empty.txt")]] },
  {
    name: "empty folders never stop it",
    course: [[bash("mkdir -p e/f/g; rmdir e/f/g; mkdir -p src/inner")], [bash("rmdir src/inner; rm -r e")]],
  },
  {
    name: "unicode names",
    course: [
      [bash("printf 1 > 'ü ñ 漢字 🙂.txt'; mkdir Ω; printf 2 > Ω/ß; printf 3 > $'e\\u0301'; printf 4 > $'\\u00e9'")],
      [bash("mv 'ü ñ 漢字 🙂.txt' '🙂'; rm -r Ω")],
    ],
  },
  {
    name: "names with line ends, spaces, quotes and leading dashes",
    course: [
      [
        bash(
          "printf 1 > $'a\\nb'; printf 2 > ' lead'; printf 3 > 'trail '; printf 4 > ./-rf; printf 5 > '\"q\"'; printf 6 > 'back\\slash'; printf 7 > $'tab\\there'",
        ),
      ],
      [bash("rm -- $'a\\nb' -rf; printf 8 > ' lead'")],
    ],
  },
  {
    name: "names with signs that git knows",
    course: [
      [bash("printf 1 > ':(top)x'; printf 2 > '*'; printf 3 > '[a]'; printf 4 > '!x'; printf 5 > '#y'")],
      [bash("rm ':(top)x' '[a]'; printf 9 > '*'")],
    ],
  },
  {
    name: "many files",
    course: [
      [bash("mkdir m; for n in $(seq 205); do echo $n > m/$n; done")],
      [bash("rm m/1*; for n in $(seq 150 205); do echo x >> m/$n; done")],
    ],
  },
  {
    name: "an unpacked archive",
    setUp: "mkdir p && printf packed > p/a.txt && printf new > p/fresh.txt && tar cf pack.tar -C p . && rm -r p",
    course: [[bash("tar xf pack.tar -C src")], [bash("tar xf pack.tar")]],
  },
  {
    name: "an unpacked archive over ignored files",
    setUp:
      "mkdir p p/build && printf packed > p/.env && printf o > p/build/out.js && printf n > p/build/new.js && printf l > p/app.log && tar cf pack.tar -C p . && rm -r p",
    course: [[bash("tar xf pack.tar")]],
  },
  {
    name: "outside of a repository: moves, links, modes and names",
    kind: "plain",
    course: [
      [bash("mv src moved; ln -sfn moved link-to-folder; chmod +x moved/a.txt; printf 1 > $'x\\ny'")],
      [bash("rm -rf moved docs")],
    ],
  },
  { name: "a command that fails half-way", course: [[bash("printf 1 > first; rm src/a.txt; false || true")]] },
  {
    name: "times that do not tell a change",
    course: [
      [bash("touch -d @1000 src/a.txt && printf 'ALPHA\\nbeta\\ngamma\\n' > src/a.txt && touch -d @1000 src/a.txt")],
      [bash("printf 'ALPHA\\nBETA\\ngamma\\n' > t && touch -d @1000 t && mv t src/a.txt")],
    ],
  },
];

const ignored: readonly Scenario[] = [
  { name: "ignored: an edit", course: [[edit(".env", "SECRET=1", "SECRET=2")]] },
  {
    name: "ignored: overwritten, deleted, made again",
    course: [[bash("printf 2 > .env")], [bash("rm .env")], [bash("printf 3 > .env")]],
  },
  {
    name: "ignored: a new file",
    course: [[write("build/new.js", "n\n")], [bash("printf n2 > build/other.js; printf l > new.log")]],
  },
  { name: "ignored: a whole folder removed", course: [[bash("rm -rf build")]] },
  {
    name: "ignored: files removed by pattern",
    setUp: "printf b > build/b.js; printf c > b.log",
    course: [[bash("rm build/*.js *.log")]],
  },
  {
    name: "ignored: moved in and out",
    course: [[bash("mv build/out.js src/out.js")], [bash("mv src/a.txt build/a.txt")]],
  },
  {
    name: "ignored: copied over and in",
    course: [[bash("cp src/a.txt build/out.js")], [bash("cp src/a.txt build/")], [bash("cp -r docs build/")]],
  },
  {
    name: "ignored: an executable bit and a link",
    course: [[bash("chmod +x build/out.js && ln -s out.js build/latest")]],
  },
  {
    name: "ignored: changed in place",
    course: [[bash("sed -i s/SECRET/PUBLIC/ .env")], [bash("truncate -s 2 app.log; printf more | tee -a .env")]],
  },
  {
    name: "ignored: in the middle of a step",
    course: [
      [
        together(
          write("one.txt", "1"),
          read(".env"),
          write(".env", "2"),
          bash("rm build/out.js"),
          write("two.txt", "3"),
        ),
      ],
    ],
  },
  {
    name: "ignored: rules that are changed leave the user's files",
    course: [[bash("printf 'build/\\n' > .gitignore")], [bash("rm .gitignore")]],
  },
  {
    name: "ignored: outside of a repository",
    kind: "plain",
    course: [[edit(".env", "1", "2"), bash("rm -r build")], [bash("printf 9 > .env; mkdir build; printf 1 > build/x")]],
  },
  {
    name: "ignored: rules in a folder",
    setUp: "printf '/secret\\n*.tmp\\n' > docs/.gitignore; printf s > docs/secret; printf t > docs/x.tmp",
    course: [[bash("printf 2 > docs/secret; rm docs/x.tmp")]],
  },
];

const large: readonly Scenario[] = [
  {
    name: "large: made by the agent",
    course: [[bash("head -c 3000000 /dev/zero > big.bin"), write("small.txt", "s")]],
    uncovered: ["big.bin"],
  },
  {
    name: "large: of the user, made small",
    setUp: "head -c 3000000 /dev/zero > big.bin",
    course: [[bash("printf small > big.bin; printf 1 > other")]],
    uncovered: ["big.bin"],
  },
  {
    name: "large: small files that grow",
    course: [[bash("head -c 3000000 /dev/zero > src/a.txt; printf 1 > other")]],
    uncovered: ["src/a.txt"],
  },
  {
    name: "large: ignored",
    setUp: "head -c 3000000 /dev/zero > build/big.js",
    course: [[bash("printf 1 > build/big.js; printf 2 > build/out.js")]],
    uncovered: ["build/big.js"],
  },
];

const repositories: readonly Scenario[] = [
  {
    name: "a nested repository stays as it is",
    setUp: "git init -q inner && cd inner && printf i > i.txt && git add . && git commit -qm i",
    course: [[bash("rm src/a.txt; printf 1 > x")]],
  },
  {
    name: "a submodule stays as it is",
    setUp:
      "git init -q ../lib && (cd ../lib && printf l > l.txt && git add . && git commit -qm l) && git -c protocol.file.allow=always submodule --quiet add ../lib lib",
    course: [[bash("rm src/a.txt; printf 1 > x")]],
  },
  { name: "a hard reset", course: [[bash("git reset -q --hard")]] },
  {
    name: "paths checked out and restored",
    course: [[bash("git checkout -q -- docs")], [bash("printf x > src/a.txt; git restore src/a.txt")]],
  },
  { name: "cleaned, ignored files included", course: [[bash("git clean -fdxq")]] },
  { name: "stashed with untracked and ignored files", course: [[bash("git stash -q --all")]] },
  {
    name: "another branch",
    setUp: "git branch other",
    course: [[bash("printf 1 > src/a.txt; git checkout -q -f other")]],
  },
  { name: "a commit of the agent", course: [[bash("printf 1 > src/a.txt; git add src; git commit -qm agent")]] },
];

const users: readonly Scenario[] = [
  {
    name: "the user changes other files in between",
    course: [
      [edit("src/a.txt", "alpha", "1")],
      { user: "printf mine > docs/guide.md; rm src/run.sh; printf new > user.txt" },
      [edit("src/a.txt", "beta", "2")],
      { user: "printf more >> user.txt; ln -s x user-link" },
    ],
  },
  {
    name: "the user changes ignored files in between",
    course: [
      [bash("printf 2 > .env")],
      { user: "printf mine > app.log; printf mine > build/mine.js" },
      [bash("printf 3 > .env")],
    ],
  },
  {
    name: "the user works in the folder that the agent made",
    course: [[bash("mkdir w; printf 1 > w/a")], { user: "printf mine > w/mine" }],
  },
  {
    name: "a command that changes nothing, then the user's work",
    course: [[bash("true")], { user: "printf mine > src/a.txt" }],
  },
  {
    name: "the user commits in between",
    course: [
      [edit("src/a.txt", "alpha", "1")],
      { user: "git add . && git commit -qm mine" },
      [edit("src/crlf.txt", "one", "2")],
    ],
  },
];

const fixture: Scenario = {
  name: "three prompts that create, edit, delete, rename and chmod, one file large and one ignored",
  course: [
    [write("created.txt", "1\n"), edit("src/a.txt", "alpha", "edited"), bash("head -c 3000000 /dev/zero > large.bin")],
    [bash("rm docs/guide.md && mv src/crlf.txt src/renamed.txt"), edit(".env", "SECRET=1", "SECRET=2")],
    [bash("chmod +x created.txt && chmod -x src/run.sh"), edit("created.txt", "1", "2"), bash("rm .env")],
  ],
  uncovered: ["large.bin"],
};

export const scenarios: readonly Scenario[] = [
  fixture,
  ...editing,
  ...shell,
  ...ignored,
  ...large,
  ...repositories,
  ...users,
];
