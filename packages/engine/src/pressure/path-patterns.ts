/** Which paths are tests, and which decide how work is judged: one table of patterns per kind, for relative paths with `/`. */

export const testFolders: readonly RegExp[] = [/(?:^|\/)(?:__tests__|tests?|specs?|e2e|testdata)\//i];

/** Runners find these wherever they lie. */
export const testNames: readonly RegExp[] = [
  /[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/i,
  /(?:^|\/)test_[^/]*\.py$/,
  /_test\.(?:py|go|rs|rb|exs|dart|cc|cpp)$/,
  /(?:^|\/)conftest\.py$/,
  /_spec\.rb$/,
  /(?:Test|Tests|IT|Spec)\.(?:java|kt|kts|scala|cs|swift|php)$/,
];

/** Written by the runner itself; a new one appears with every new test. */
export const snapshotPaths: readonly RegExp[] = [/(?:^|\/)__snapshots__\//, /\.snap(?:\.new)?$/, /(?:^|\/)golden\//];

export const criteriaPaths: readonly RegExp[] = [
  /(?:^|\/)\.github\/(?:workflows|actions)\//,
  /(?:^|\/)\.gitlab-ci(?:\.[^/]*)?\.ya?ml$/,
  /(?:^|\/)(?:\.circleci|\.buildkite|\.husky|\.gitlab\/ci)\//,
  /(?:^|\/)(?:\.travis|azure-pipelines|bitbucket-pipelines|\.drone|\.cirrus|appveyor|\.woodpecker)\.ya?ml$/,
  /(?:^|\/)Jenkinsfile$/,
  /(?:^|\/)(?:\.pre-commit-config|lefthook|codecov|\.codecov)\.ya?ml$/,
  /(?:^|\/)\.eslint(?:rc(?:\.[^/]+)?|ignore)$/,
  /(?:^|\/)eslint\.config\.[cm]?[jt]s$/,
  /(?:^|\/)(?:biome|tslint|\.oxlintrc)\.jsonc?$/,
  /(?:^|\/)\.(?:flake8|pylintrc|rubocop\.yml|golangci\.ya?ml|coveragerc|nycrc(?:\.json)?|c8rc(?:\.json)?)$/,
  /(?:^|\/)(?:ruff|clippy|\.clippy|mypy|pytest|tox|tarpaulin|nextest)\.(?:toml|ini)$/,
  /(?:^|\/)(?:vitest|jest|playwright|cypress|karma)\.(?:config|workspace|setup)\.[^/]+$/,
  /(?:^|\/)\.mocharc\.[^/]+$/,
];

/** Files with other content as well: only a change of such a line is a change of the criteria. */
export const partialCriteria: readonly { readonly path: RegExp; readonly line: RegExp }[] = [
  {
    path: /(?:^|\/)package\.json$/,
    line: /"(?:(?:pre|post)?(?:test|lint|check|coverage|typecheck|ci)(?::[\w:-]+)?|coverageThreshold|testPathIgnorePatterns|testMatch|bail)"\s*:/,
  },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    line: /^\s*(?:fail_under|addopts|testpaths|python_files|filterwarnings|ignore|exclude|omit|select|strict)\s*=|^\s*\[tool\.(?:ruff|pytest|coverage|mypy|flake8)/,
  },
  { path: /(?:^|\/)setup\.cfg$/, line: /^\s*(?:addopts|testpaths|max-line-length|ignore|fail_under)\s*=/ },
  {
    path: /(?:^|\/)(?:GNU)?[Mm]akefile$/,
    line: /^(?:test|lint|check|ci)[\w-]*:|\b(?:pytest|go test|cargo test|npm test)\b/,
  },
  { path: /(?:^|\/)Cargo\.toml$/, line: /^\s*\[(?:workspace\.)?lints|^\s*test\s*=\s*false/ },
  {
    path: /(?:^|\/)tsconfig[^/]*\.json$/,
    line: /"(?:strict\w*|no[A-Z]\w*|skipLibCheck|exactOptionalPropertyTypes)"\s*:/,
  },
];

/** Where a test still looks like one and is never run. */
export const ignoredPlaces: readonly RegExp[] = [
  /(?:^|\/)(?:node_modules|dist|build|target|vendor|tmp|\.trash|archived?|disabled|skipped|ignored?|old|backups?|quarantine|wip)\//i,
  /(?:^|\/)[._][^/]*(?:disabled|skip|old|bak)[^/]*\//i,
];

/** Commands that accept whatever the program prints now as right. */
export const snapshotUpdates: readonly RegExp[] = [
  /\b(?:vitest|jest|playwright|ava)\b.*\s(?:-u|--update|--updateSnapshot|--update-snapshots|--update-snapshot)\b/,
  /\bpytest\b.*\s--(?:snapshot-update|inline-snapshot=(?:fix|update)|force-regen)\b/,
  /\bcargo\s+insta\s+(?:accept|test\s.*--accept)\b/,
  /\bgo\s+test\b.*\s-{1,2}update\b/,
  /\b(?:npm|pnpm|yarn)\b.*\btest\b.*\s--?\s.*(?:-u|--updateSnapshot)\b/,
];
