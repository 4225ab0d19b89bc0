/** Output as well-known programs print it, with the lines that must survive shortening; used by tests. */

type OutputSample = {
  readonly program: string;
  readonly command: string;
  readonly lines: readonly string[];
  readonly kept: readonly string[];
};

const many = (count: number, lines: (index: number) => string | readonly string[]) =>
  Array.from({ length: count }, (_, index) => lines(index)).flat();
const words = ["alpha", "bravo", "copper", "delta", "ember", "falcon", "garnet", "harbor", "indigo", "juniper"];
const word = (index: number) => `${words[index % words.length]}-${words[(index * 3 + 1) % words.length]}`;
const hash = (index: number) => ((index + 7) * 2_654_435_761).toString(16).padStart(12, "a").slice(0, 12);

/** Pieces of an output: a text stays, a list of texts is noise. */
function sample(program: string, command: string, pieces: readonly (string | readonly string[])[]): OutputSample {
  return {
    program,
    command,
    lines: pieces.flat(),
    kept: pieces.flatMap((piece) => (typeof piece === "string" ? [piece] : [])),
  };
}

export const outputSamples: readonly OutputSample[] = [
  sample("npm", "npm ci --loglevel verbose", [
    ["npm verb cli /usr/bin/node /usr/bin/npm", "npm info using npm@10.9.2", "npm info using node@v22.14.0"],
    many(
      30,
      (index) => `npm http fetch GET 200 https://packages.example/${word(index)} ${index * 7}ms (cache revalidated)`,
    ),
    "npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.",
    many(12, (index) => `npm http cache ${word(index)}@https://packages.example/${word(index)}.tgz 0ms (cache hit)`),
    "",
    "added 342 packages, and audited 343 packages in 6s",
    "",
    "2 moderate severity vulnerabilities",
  ]),
  sample("pnpm", "pnpm install", [
    "Lockfile is up to date, resolution step is skipped",
    many(
      12,
      (index) => `Progress: resolved ${index * 40}, reused ${index * 39}, downloaded ${index}, added ${index * 30}`,
    ),
    "Packages: +512",
    ["+++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++", `${"+".repeat(70)}--------`],
    " WARN  3 deprecated subdependencies found: abab@2.0.6, glob@7.2.3, rimraf@3.0.2",
    "Done in 4.8s",
  ]),
  sample("yarn", "yarn install", [
    "➤ YN0000: ┌ Fetch step",
    many(25, (index) => `➤ YN0013: │ ${word(index)}@npm:1.${index}.0 can't be found in the cache and will be fetched`),
    "➤ YN0000: └ Completed in 2s 311ms",
    "➤ YN0002: │ app@workspace:. doesn't provide react (p1a2b3), requested by react-dom",
    "➤ YN0000: · Done with warnings in 4s 20ms",
  ]),
  sample("pip", "python3 -m pip install -r requirements.txt", [
    many(14, (index) => `Collecting ${word(index)}==1.${index}.0`),
    many(14, (index) => `  Downloading ${word(index)}-1.${index}.0-py3-none-any.whl (${index + 3}4 kB)`),
    ["     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 9.1/9.1 MB 45.2 MB/s eta 0:00:00"],
    many(5, (index) => `Requirement already satisfied: ${word(index)}>=1.0 in ./venv/lib/python3.12/site-packages`),
    "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.",
    "Successfully installed alpha-bravo-1.0.0 bravo-delta-1.1.0",
  ]),
  sample("cargo build", "cargo build --release", [
    ["     Locking 42 packages to latest compatible versions"],
    many(10, (index) => `  Downloaded ${word(index)} v0.${index}.1`),
    many(40, (index) => `   Compiling ${word(index)} v0.${index}.1`),
    "warning: unused variable: `count`",
    "  --> src/main.rs:12:9",
    "error[E0382]: borrow of moved value: `name`",
    "  --> src/main.rs:20:5",
    ["   Compiling app v0.1.0 (./app)", "   Compiling app-more v0.1.0 (./app-more/with/a/longer/path)"],
    'error: could not compile `app` (bin "app") due to 1 previous error; 1 warning emitted',
  ]),
  sample("cargo test", "cargo test", [
    many(20, (index) => `   Compiling ${word(index)} v0.${index}.1`),
    "    Finished `test` profile [unoptimized + debuginfo] target(s) in 3.11s",
    "     Running unittests src/lib.rs (target/debug/deps/app-0f1e2d3c)",
    "running 42 tests",
    many(40, (index) => `test store::tests::keeps_${word(index).replace("-", "_")}_${index} ... ok`),
    "test store::tests::reopens ... FAILED",
    "test store::tests::slow ... ignored",
    "thread 'store::tests::reopens' panicked at src/store.rs:88:9:",
    "test result: FAILED. 40 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.42s",
  ]),
  sample("docker build", "docker build -t app .", [
    ["#1 [internal] load build definition from Dockerfile", "#1 transferring dockerfile: 812B done", "#1 DONE 0.0s"],
    "#4 [1/6] FROM docker.example/library/node:22-slim",
    many(12, (index) => `#4 sha256:${hash(index)}${hash(index + 1)} ${index}.10MB / 28.23MB 0.${index}s`),
    ["#4 extracting sha256:0a1b2c3d4e5f 1.2s done", "#4 DONE 4.1s"],
    "#7 [4/6] RUN apt-get install -y git",
    many(
      15,
      (index) => `#7 ${index}.412 Get:${index} http://mirror.example/debian stable/main amd64 ${word(index)} [12 kB]`,
    ),
    many(15, (index) => `#7 ${index}.912 Setting up ${word(index)} (1:2.3-${index}) ...`),
    '#9 ERROR: process "/bin/sh -c npm run build" did not complete successfully: exit code: 1',
  ]),
  sample("docker pull", "docker pull postgres:17", [
    "17: Pulling from library/postgres",
    many(14, (index) => `${hash(index)}: Pulling fs layer`),
    many(14, (index) => `${hash(index)}: Download complete`),
    many(14, (index) => `${hash(index)}: Pull complete`),
    "Digest: sha256:5f2c1d0e9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d",
    "Status: Downloaded newer image for postgres:17",
  ]),
  sample("git", "git clone https://code.example/team/app.git", [
    "Cloning into 'app'...",
    ["remote: Enumerating objects: 48211, done."],
    many(20, (index) => `remote: Counting objects:  ${index * 5}% (${index * 61}/1220)`),
    many(20, (index) => `Receiving objects:  ${index * 5}% (${index * 2_410}/48211), ${index}.10 MiB | 9.20 MiB/s`),
    "warning: remote HEAD refers to nonexistent ref, unable to checkout",
  ]),
  sample("git", "git fetch --all --tags", [
    "From https://code.example/team/app",
    "   1a2b3c4..5d6e7f8  main       -> origin/main",
    many(30, (index) => ` * [new tag]         v1.${index}.0     -> v1.${index}.0`),
    " ! [rejected]        v0.9.0     -> v0.9.0  (would clobber existing tag)",
  ]),
  sample("pytest", "python -m pytest -v", [
    "============================= test session starts ==============================",
    "collected 44 items",
    many(
      40,
      (index) =>
        `tests/test_store.py::test_${word(index).replace("-", "_")}[${index}] PASSED${" ".repeat(10)}[ ${index + 10}%]`,
    ),
    "tests/test_store.py::test_reopens FAILED                                  [ 99%]",
    "tests/test_store.py::test_windows SKIPPED (only there)                    [100%]",
    "E       assert 1 == 2",
    "=================== 1 failed, 42 passed, 1 skipped in 0.31s ====================",
  ]),
  sample("pytest", "pytest", [
    "rootdir: ./app",
    many(20, (index) => `tests/test_${word(index).replace("-", "_")}_module.py ${".".repeat(30)}   [ ${index + 10}%]`),
    "tests/test_last.py ....F..                                                [100%]",
    "FAILED tests/test_last.py::test_it - assert 1 == 2",
  ]),
  sample("jest", "npx jest", [
    many(20, (index) => `PASS src/components/${word(index)}/${word(index + 2)}.test.tsx`),
    "FAIL src/store.test.ts",
    "  store",
    many(12, (index) => `    ✓ keeps ${word(index)} (${index} ms)`),
    "    ✕ reopens (14 ms)",
    "  ● store › reopens",
    "    expect(received).toBe(expected) // Object.is equality",
    "Tests:       1 failed, 180 passed, 181 total",
  ]),
  sample("vitest", "vitest run", [
    " RUN  v5.1.0 ./app",
    many(30, (index) => ` ✓ packages/store/src/${word(index)}.test.ts (${index + 2} tests) ${index}ms`),
    " ❯ packages/store/src/journal.test.ts (12 tests | 1 failed) 88ms",
    "   × appends in order 4ms",
    " Test Files  1 failed | 30 passed (31)",
    "      Tests  1 failed | 480 passed (481)",
  ]),
  sample("mocha", "mocha --recursive", [
    "  Array",
    many(30, (index) => `    ✔ returns ${word(index)} when ${word(index + 4)} is present`),
    "    1) should be sorted",
    "  30 passing (12ms)",
    "  1 failing",
  ]),
  sample("node --test", "node --test test/", [
    "TAP version 13",
    many(12, (index) => [
      `# Subtest: keeps ${word(index)}`,
      `ok ${index} - keeps ${word(index)}`,
      "  ---",
      `  duration_ms: 0.${index}`,
      "  type: 'test'",
      "  ...",
    ]),
    "not ok 13 - reopens",
    "  location: './store.test.js:3:1'",
    "  error: 'Expected values to be strictly equal'",
    "# tests 13",
    "# fail 1",
  ]),
  sample("playwright", "npx playwright test", [
    "Running 31 tests using 4 workers",
    many(
      30,
      (index) => `  ✓  ${index + 1} [chromium] › ${word(index)}.spec.ts:${index}:5 › shows ${word(index)} (${index}ms)`,
    ),
    "  ✘  31 [chromium] › login.spec.ts:9:5 › logs in (5.0s)",
    "  1 failed",
    "  30 passed (12.1s)",
  ]),
  sample("go test", "go test -v ./...", [
    many(20, (index) => [`=== RUN   TestKeeps${index}`, `--- PASS: TestKeeps${index} (0.0${index}s)`]),
    "=== RUN   TestReopenFails",
    "--- FAIL: TestReopens (0.00s)",
    "    store_test.go:14: got 1, want 2",
    "FAIL",
    "FAIL\tapp.example/store\t0.012s",
    "ok  \tapp.example/journal\t0.101s",
    many(10, (index) => `?   \tapp.example/${word(index)}\t[no test files]`),
  ]),
  sample("go", "go build ./...", [
    many(25, (index) => `go: downloading code.example/${word(index)} v1.${index}.0`),
    "./main.go:12:2: undefined: store.Open",
  ]),
  sample("make", "make -j4", [
    ["make[1]: Entering directory './app'", "make[2]: Entering directory './app/source'"],
    many(20, (index) => `[ ${index + 10}%] Building CXX object src/CMakeFiles/app.dir/${word(index)}.cpp.o`),
    "src/store.cpp:14:7: warning: unused variable 'count' [-Wunused-variable]",
    many(20, (index) => `gcc -O2 -Wall -Iinclude -c source/${word(index)}.c -o build/${word(index)}.o`),
    "src/store.cpp:20:3: error: expected ';' after expression",
    "make[2]: *** [src/CMakeFiles/app.dir/build.make:76: store.cpp.o] Error 1",
    "make: *** [Makefile:91: all] Error 2",
  ]),
  sample("apt", "sudo apt-get install -y git", [
    ["Reading package lists...", "Building dependency tree...", "Reading state information..."],
    "The following NEW packages will be installed:",
    "  git git-man less",
    "0 upgraded, 3 newly installed, 0 to remove and 4 not upgraded.",
    many(
      12,
      (index) =>
        `Get:${index} http://mirror.example/debian stable/main amd64 ${word(index)} amd64 1.${index} [1,${index}00 kB]`,
    ),
    "Fetched 12.1 MB in 1s (9,800 kB/s)",
    many(12, (index) => `Unpacking ${word(index)} (1.${index}-2) ...`),
    many(12, (index) => `Setting up ${word(index)} (1.${index}-2) ...`),
    "E: Sub-process /usr/bin/dpkg returned an error code (1)",
  ]),
  sample("curl", "curl -O https://files.example/big.tar.gz", [
    "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current",
    many(
      20,
      (index) =>
        ` ${index + 10} 52.1M   ${index + 10}  ${index}.3M    0     0  9120k      0  0:00:05  0:00:0${index % 10}  0:00:03 9121k`,
    ),
    "curl: (56) Recv failure: Connection reset by peer",
  ]),
  sample("wget", "wget https://files.example/big.tar.gz", [
    "Length: 54632448 (52M) [application/gzip]",
    many(30, (index) => ` ${index * 50}K .......... .......... .......... .......... ..........  ${index}% 9.10M 5s`),
    "2025-01-02 10:11:12 (9.1 MB/s) - 'big.tar.gz' saved [54632448/54632448]",
  ]),
  sample("webpack", "webpack --mode production", [
    many(30, (index) => `<s> [webpack.Progress] ${index * 3}% building ${index * 12}/400 modules`),
    many(12, (index) => `asset chunk-${word(index)}.js ${index}4.2 KiB [emitted] [minimized]`),
    many(12, (index) => `  ./src/${word(index)}.js ${index}.1 KiB [built] [code generated]`),
    "WARNING in asset size limit: The following asset(s) exceed the recommended size limit (244 KiB).",
    "webpack 5.99.0 compiled with 1 warning in 4210 ms",
  ]),
  sample("vite", "npx vite build", [
    "vite v8.3.8 building for production...",
    ["transforming...", "rendering chunks...", "computing gzip size..."],
    many(
      25,
      (index) => `dist/assets/${word(index)}-${hash(index).slice(0, 8)}.js   ${index}4.21 kB │ gzip: ${index}.10 kB`,
    ),
    "(!) Some chunks are larger than 500 kB after minification.",
    "✓ built in 3.21s",
  ]),
  sample("maven", "./mvnw -B verify", [
    "[INFO] Scanning for projects...",
    many(
      25,
      (index) =>
        `[INFO] Downloading from central: https://mirror.example/maven2/org/${word(index)}/1.${index}/${word(index)}.jar`,
    ),
    [
      "[INFO] ",
      "[INFO] --- compiler:3.13.0:compile (default-compile) @ app ---",
      "[INFO] Nothing to compile - all classes are up to date",
    ],
    "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0",
    "[INFO] BUILD FAILURE",
  ]),
  sample("gradle", "./gradlew build", [
    many(25, (index) => `> Task :${word(index)}:compileKotlin UP-TO-DATE`),
    "> Task :app:test FAILED",
    many(10, (index) => `StoreTest > keeps ${word(index)} PASSED`),
    "StoreTest > reopens FAILED",
    "BUILD FAILED in 12s",
    "31 actionable tasks: 6 executed, 25 up-to-date",
  ]),
  sample("dotnet", "dotnet test", [
    ["  Determining projects to restore...", "  Restored ./app/App.csproj (in 412 ms)."],
    many(25, (index) => `  Passed App.Tests.Store.Keeps_${word(index)} [${index} ms]`),
    "  Failed App.Tests.Store.Reopens [12 ms]",
    "Failed!  - Failed:     1, Passed:    25, Skipped:     0, Total:    26, Duration: 88 ms",
  ]),
  sample("composer", "composer install", [
    "Package operations: 20 installs, 0 updates, 0 removals",
    many(20, (index) => `  - Downloading vendor/${word(index)} (v1.${index}.0)`),
    many(20, (index) => `  - Installing vendor/${word(index)} (v1.${index}.0): Extracting archive`),
    "Package vendor/old is abandoned, you should avoid using it.",
    "Generating autoload files",
  ]),
  sample("bundler", "bundle install", [
    many(35, (index) => `Using ${word(index)} 1.${index}.0`),
    "Bundle complete! 12 Gemfile dependencies, 35 gems now installed.",
  ]),
  sample("terraform", "terraform apply -auto-approve", [
    many(15, (index) => `example_bucket.${word(index)}: Refreshing state... [id=${hash(index)}]`),
    many(12, (index) => `example_database.main: Still creating... [${index}0s elapsed]`),
    "example_database.main: Creation complete after 2m4s [id=db-1]",
    "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
  ]),
  sample("npm", "npm run test --workspaces", [
    "> app@1.0.0 test",
    many(30, (index) => `    ✓ keeps ${word(index)} (${index} ms)`),
    "Tests:       30 passed, 30 total",
  ]),
];
