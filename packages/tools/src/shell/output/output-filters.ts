/** What well-known programs print about their progress and their successes, which nobody needs to read. */

export type NoiseRule = {
  /** For one line, without its end. */
  readonly pattern: RegExp;
  /** What such lines are, for the mark that stands in their place. */
  readonly what: string;
};

export type OutputFilter = {
  readonly program: string;
  /** For one simple command, without wrappers and assignments. */
  readonly command: RegExp;
  readonly noise: readonly NoiseRule[];
};

const progress = (pattern: RegExp): NoiseRule => ({ pattern, what: "progress" });
const passing = (pattern: RegExp): NoiseRule => ({ pattern, what: "passing tests" });
const packages = (pattern: RegExp): NoiseRule => ({ pattern, what: "packages" });
const compiled = (pattern: RegExp): NoiseRule => ({ pattern, what: "compiled" });

const python = "(?:python[\\d.]*|uv run(?: python[\\d.]*)?|poetry run) (?:-m )?";

export const outputFilters: readonly OutputFilter[] = [
  {
    program: "npm",
    command: /^npm (?:ci|i|install|add|update|up|dedupe|audit)\b/,
    noise: [
      packages(/^npm http (?:fetch|cache) /),
      progress(/^npm (?:timing|sill|verb|info) /),
      progress(/^(?:[⸨(][#.░⠂ ]*[⸩)]|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏])\s*(?:\w+:|$)/),
    ],
  },
  {
    program: "pnpm",
    command: /^pnpm (?:i|install|add|update|up|import|fetch|dlx)\b/,
    noise: [
      progress(/^Progress: resolved \d+, reused \d+, downloaded \d+, added \d+$/),
      progress(/^\++-*$/),
      packages(/^Downloading \S+: [\d.]+ [kMG]?B/),
    ],
  },
  {
    program: "yarn",
    command: /^yarn(?: (?:install|add|up|upgrade)\b.*)?$/,
    noise: [
      packages(/^(?:➤ )?YN0013: /),
      progress(/^(?:➤ )?YN0000: [│ ]*\d+%/),
      progress(/^\[#+-*\] \d+\/\d+$/),
      packages(/^(?:info|verbose) (?:fsevents|Visited|Performing|\[?\d+\/\d+)/),
    ],
  },
  {
    program: "pip",
    command: new RegExp(`^(?:${python})?(?:uv )?pip[\\d.]* (?:install|download|wheel)\\b`),
    noise: [
      packages(/^\s*(?:Collecting|Downloading|Using cached|Requirement already satisfied:|Obtaining|Processing) /),
      packages(
        /^\s*(?:Created wheel for|Stored in directory:|Building wheels? for|Attempting uninstall:|Found existing)/,
      ),
      packages(
        /^\s*(?:Preparing metadata|Installing build dependencies|Getting requirements to build|Installing backend)/,
      ),
      progress(/^\s*[━╸╺][━╸╺ ]*[\d.]+\/[\d.]+ [kMG]?B/),
    ],
  },
  {
    program: "cargo build",
    command: /^cargo (?:\+\S+ )?(?:build|b|check|c|clippy|run|r|install|fetch|update|doc|bench)\b/,
    noise: [compiled(/^\s*(?:Compiling|Checking|Fresh|Documenting|Unpacking) \S+ v\d/), ...cargoPackages()],
  },
  {
    program: "cargo test",
    command: /^cargo (?:\+\S+ )?(?:test|t|nextest)\b/,
    noise: [
      passing(/^test \S.* \.\.\. ok(?: <[\d.]+s>)?$/),
      passing(/^\s*PASS \[\s*[\d.]+s\] /),
      compiled(/^\s*(?:Compiling|Checking|Fresh) \S+ v\d/),
      ...cargoPackages(),
    ],
  },
  {
    program: "docker build",
    command: /^(?:docker|podman|nerdctl) (?:buildx |image |compose )?(?:build|up)\b/,
    noise: [
      progress(
        /^#\d+ (?:sha256:|extracting |transferring |resolve |exporting |naming |writing |sending |\[internal\] )/,
      ),
      progress(/^#\d+ (?:DONE [\d.]+s|CACHED|\.\.\.)$/),
      packages(/^#\d+ [\d.]+ (?:Get:\d+|Hit:\d+|Selecting previously|Preparing to unpack|Unpacking|Setting up) /),
      progress(/^(?: ---> (?:[0-9a-f]{12}|Running in |Using cache)|Removing intermediate container )/),
    ],
  },
  {
    program: "docker pull",
    command: /^(?:docker|podman|nerdctl) (?:image |compose )?(?:pull|push|run|up)\b/,
    noise: [
      progress(
        /^\s*[0-9a-f]{12}:? (?:Pulling fs layer|Waiting|Verifying Checksum|Download complete|Pull complete|Already exists|Downloading|Extracting|Preparing|Pushed|Pushing|Layer already exists|Mounted from)/,
      ),
    ],
  },
  {
    program: "git",
    command: /^git (?:-\S+ (?:\S+ )?)*(?:clone|fetch|pull|push|submodule|lfs|gc|repack|remote update)\b/,
    noise: [
      progress(
        /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Updating|Filtering|Finding|Downloading)[\w ]*:\s+(?:\d+%|\d+)/,
      ),
      { pattern: /^ \* \[new (?:branch|tag)\]\s/, what: "new branches and tags" },
    ],
  },
  {
    program: "pytest",
    command: new RegExp(`^(?:${python})?(?:pytest|py\\.test|tox|nox)\\b`),
    noise: [
      passing(/^\S+\.py(?:::\S.*)? PASSED\s*(?:\[\s*\d+%\])?$/),
      passing(/^(?:\[gw\d+\] )?(?:\[\s*\d+%\] )?PASSED \S+\.py::\S/),
      passing(/^(?:\S+\.py )?\.+\s*(?:\[\s*\d+%\])?$/),
      progress(/^(?:scheduling tests via|\[gw\d+\] \w+ Python|gw\d+ \[\d+\])/),
    ],
  },
  {
    program: "jest",
    command: /^(?:jest|react-scripts test)\b/,
    noise: [passing(/^\s+[✓√] \S/), passing(/^PASS\s+\S+/), progress(/^RUNS\s+\S+/)],
  },
  {
    program: "vitest",
    command: /^vitest\b/,
    noise: [passing(/^\s*[✓√] \S/), progress(/^\s*❯ \S+\s+\d+\/\d+$/)],
  },
  { program: "mocha", command: /^(?:mocha|nyc mocha|c8 mocha)\b/, noise: [passing(/^\s+[✓✔√] \S/)] },
  {
    program: "node --test",
    command: /^(?:node\b.* --test\b|tap\b|tape\b|prove\b|bun test\b)/,
    noise: [
      passing(/^\s*✔ \S/),
      passing(/^\s*(?:# Subtest: |ok \d+)/),
      passing(/^\s*\(pass\) /),
      passing(/^\s+(?:---|\.\.\.|duration_ms: [\d.]+|type: '\w+')$/),
      passing(/^\S+\s\.+ ok$/),
    ],
  },
  {
    program: "playwright",
    command: /^playwright (?:test|install)\b/,
    noise: [passing(/^\s+[✓✔]\s+\d+ /), progress(/^\|[■ ]*\|\s+\d+% of /)],
  },
  {
    program: "go test",
    command: /^go (?:test|vet)\b/,
    noise: [
      passing(/^\s*=== (?:RUN|PAUSE|CONT|NAME)\b/),
      passing(/^\s*--- PASS: /),
      { pattern: /^\?\s+\S+\s+\[no test files\]$/, what: "without tests" },
      packages(/^go: downloading \S+ v/),
    ],
  },
  {
    program: "go",
    command: /^go (?:build|get|install|mod|run)\b/,
    noise: [packages(/^go: (?:downloading|finding|extracting|added) \S+ v/)],
  },
  {
    program: "make",
    command: /^(?:make|gmake|cmake|ninja|meson)\b/,
    noise: [
      compiled(/^\[\s*\d+%\] (?:Building|Linking|Generating|Scanning|Built target|Automatic|Copying)/),
      compiled(/^\[\d+\/\d+\] (?:Building|Compiling|Linking|Generating|CXX|CC|AR|Copying)\b/),
      progress(/^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory /),
      compiled(/^\s+(?:CC|CXX|LD|AR|AS|HOSTCC|HOSTLD|GEN|INSTALL|UPD|OBJCOPY|VDSO|STRIP)\s+\S+$/),
      compiled(/^(?:\S*-)?(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|libtool: compile:)[\d.-]*\s.*\s-c\s/),
      progress(
        /^-- (?:Looking for|Check(?:ing)?|Detecting|Performing Test) .*(?:- found|- Success|- done|- works|compile features)?$/,
      ),
    ],
  },
  {
    program: "apt",
    command: /^(?:apt|apt-get|aptitude)\b/,
    noise: [
      packages(/^(?:Get|Hit|Ign):\d+ /),
      packages(
        /^(?:Selecting previously unselected package|Preparing to unpack|Unpacking|Setting up|Processing triggers for) /,
      ),
      progress(/^(?:Reading package lists|Building dependency tree|Reading state information|\(Reading database)/),
    ],
  },
  {
    program: "curl",
    command: /^curl\b/,
    noise: [
      progress(/^\s*\d+\s+[\d.]+[kMG]?\s+\d+\s+[\d.]+[kMG]?\s+\d+\s.*(?:--:--:--|\d+:\d\d:\d\d)/),
      progress(/^#[#=O -]*[\d.]*%?$/),
      progress(/^[{}] \[\d+ bytes data\]$/),
    ],
  },
  {
    program: "wget",
    command: /^wget\b/,
    noise: [progress(/^\s*\d+[KM](?: [.,]+)+\s+(?:\d+%)?/), progress(/^\S+\s+\d+%\[[=> ]+\]/)],
  },
  {
    program: "webpack",
    command: /^(?:webpack|ng build|next build|react-scripts build)\b/,
    noise: [
      progress(/^(?:<s> )?(?:\[webpack\.Progress\] )?\d+% /),
      compiled(/^\s+(?:\.\/|modules by path |cacheable modules |runtime modules |\+ \d+ modules).*$/),
      compiled(/^\s*asset \S+ [\d.]+ (?:KiB|MiB|bytes) /),
    ],
  },
  {
    program: "vite",
    command: /^(?:vite|rollup|tsup|esbuild)\b/,
    noise: [
      progress(/^(?:transforming|rendering chunks|computing gzip size)\b/),
      compiled(/^\S*(?:dist|build|out)\/\S+\s+[\d.,]+ [kM]?B(?:\s+│.*)?$/),
    ],
  },
  {
    program: "maven",
    command: /^(?:mvn|mvnw|mvnd)\b/,
    noise: [
      packages(/^(?:\[INFO\] )?(?:Downloading|Downloaded) from \S+: /),
      progress(/^Progress \(\d+\): /),
      progress(
        /^\[INFO\] (?:--- .* @|Copying \d+ resource|Nothing to compile|Changes detected|Using '\S+' encoding|skip non)/,
      ),
      progress(/^\[INFO\]\s*$/),
    ],
  },
  {
    program: "gradle",
    command: /^(?:gradle|gradlew)\b/,
    noise: [
      progress(/^> Task :\S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE))?$/),
      packages(/^Download (?:https?:\/\/)?\S+$/),
      progress(/^(?:<[=-]+> \d+% |> (?:IDLE|Starting|Configure) ?)/),
      passing(/^\S+ > .+ PASSED$/),
    ],
  },
  {
    program: "dotnet",
    command: /^dotnet (?:build|restore|test|publish|run|add)\b/,
    noise: [
      passing(/^\s+Passed \S.* \[[<\d .]+ m?s\]$/),
      packages(/^\s+(?:Restored|Determining projects to restore|GET|OK) ?\S*/),
    ],
  },
  {
    program: "composer",
    command: /^composer (?:install|update|require|create-project)\b/,
    noise: [
      packages(/^\s+- (?:Downloading|Installing|Extracting|Locking|Upgrading) \S+\/\S+ \(/),
      progress(/^\s+\d+\/\d+ \[[=>-]+\]\s+\d+%$/),
    ],
  },
  {
    program: "bundler",
    command: /^(?:bundle(?: install| update)?|gem install)\b(?! exec)/,
    noise: [packages(/^(?:Using|Fetching|Installing) \S+ \(?v?\d/)],
  },
  {
    program: "terraform",
    command: /^(?:terraform|tofu)\b/,
    noise: [
      progress(/^\S+: (?:Refreshing state\.\.\.|Reading\.\.\.|Still (?:creating|destroying|modifying|reading)\.\.\.)/),
      packages(/^- (?:Finding|Installing|Reusing|Using previously-installed) \S+/),
    ],
  },
];

/** These run whatever a project says, so what they print may come from any of the programs above. */
export const runsAnything =
  /^(?:npm (?:run|test|t|start|exec|run-script)|pnpm(?! (?:i|install|add|update|up|import|fetch)\b)|yarn(?= \S)|bun run|make|just|task|rake|bundle exec|turbo|nx|lerna|tox|nox|uv run|poetry run|hatch)\b/;

/** These print nothing worth a word, or what the command before them printed. */
export const printsNothing =
  /^(?:cd|pushd|popd|export|unset|set|shopt|source|\.|true|false|:|test|\[|\[\[|mkdir|rm|rmdir|cp|mv|ln|touch|chmod|chown|sleep|wait|exit|return|echo|printf|trap|kill|for|case|select|done|fi|esac|break|continue|sudo|\(\))(?:\s|$)/;

export const passesOn = /^(?:tee|cat|head|tail|stdbuf)(?:\s|$)/;

function cargoPackages(): readonly NoiseRule[] {
  return [packages(/^\s*(?:Downloaded|Downloading|Adding|Updating|Locking) \S+(?: v\d| crates| packages)/)];
}
