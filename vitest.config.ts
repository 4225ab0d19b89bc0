/** Test runner settings: every test in Node, no network but loopback, workers shared by files. */
import { defineConfig } from "vitest/config";

const endToEnd = ["packages/cli/test/**/*.test.ts", "scripts/**/*.test.ts"];

/** Left out by `./test --fast`: what takes seconds and breaks seldom, or what a quicker test of the same kind covers. */
const slow = [
  "packages/cli/test/crash/*.test.ts",
  "packages/cli/test/{session-commands,session-upkeep,replay,explain,permissions-project,bad-input,cost}.test.ts",
  "packages/engine/src/snapcompact/frame.test.ts",
  "packages/sandbox/test/{variable-values,variable-differential}.test.ts",
  "packages/host/test/replay/*.test.ts",
  "packages/store/src/rescue/*.test.ts",
  "packages/store/test/{large-session,git-matrix,git-seed,git-lock,git-refs,git-also,git-upkeep,removal,sqlite-views}.test.ts",
  "packages/store/test/postgres-*.test.ts",
  "packages/testing/src/postgres/*.test.ts",
  "packages/cli/test/postgres.test.ts",
  "packages/host/test/undo/*.test.ts",
  "packages/cli/test/{auth,console-start,documents,models-command,module-graph,providers-command}.test.ts",
  "packages/models/test/{ai-sdk,openai-chat,openai-responses,anthropic,google}-matrix.test.ts",
  "packages/tools/src/searching/list.test.ts",
  "packages/tools/src/reading/read-torture.test.ts",
  "packages/tools/src/shell/shell-process.test.ts",
  "packages/engine/test/changed-files.test.ts",
  "packages/cli/test/{trust,hostile-repository,sandboxed-session,secret-environment,gates}.test.ts",
  "packages/host/test/{shell-fuzz,aliases,gates}.test.ts",
  "packages/sandbox/test/{parse-differential,confinement-files,confinement-processes}.test.ts",
  "packages/tools/src/code-index/*.test.ts",
  "packages/tools/src/shell/{background-run,terminal-shell,user-shell}.test.ts",
  "packages/tools/src/editing/targets/archive-member.test.ts",
  "packages/cli/test/{doctor,permissions-table,models-in-use}.test.ts",
  "packages/models/test/{conversations,caching,ai-sdk-provider}.test.ts",
  "packages/cli/test/{acp,acp-sessions,acp-stream,replay-view,replay-options,session-signatures,transcripts}.test.ts",
  "packages/cli/test/{startup-stages,hostile-settings,troubleshooting,config,serve}.test.ts",
  "packages/cli/test/sdk/*.test.ts",
  "packages/host/test/contending-processes.test.ts",
  "packages/host/test/events/{resume,slow-clients,load}.test.ts",
  "packages/host/test/{server,terminals,telemetry}/*.test.ts",
  "packages/sdk/test/{query-signal,event-streams}.test.ts",
  "packages/store/test/{sqlite-store,snapshots-folders,tampering-property,git-snapshots,git-restore}.test.ts",
  "packages/protocol/test/view-events-random.test.ts",
  "packages/engine/test/undo-coverage.test.ts",
  "packages/host/src/provider-packages/install-package.test.ts",
  "packages/host/src/retention/session-upkeep.test.ts",
  "packages/cli/test/{headless,tools,stats}.test.ts",
  "packages/tools/src/shell/{bash,jobs}.test.ts",
  "packages/tools/test/edit-corpus.test.ts",
  "packages/models/src/http/response-parser.test.ts",
  "scripts/{set-up,build-sdk,build,package}.test.ts",
  "packages/cli/test/screen/*.test.ts",
  "packages/cli/test/{installed,run-scope,completion,command-help,json-listings,stream-input,headless-files,resume-question}.test.ts",
  "packages/tui/test/*.test.ts",
  "packages/tui/src/vim/vim-random.test.ts",
  "packages/sdk/test/port-worker.test.ts",
  "packages/testing/src/screen-terminal/*.test.ts",
  "packages/host/test/door/*.test.ts",
  "packages/models/test/retry-hastened.test.ts",
  "packages/cli/test/{terminal-controls,console-session,working-memory,permissions-environment}.test.ts",
  "packages/tui/src/markdown/{markdown-work,long-blocks}.test.ts",
  "packages/tui/src/{transcript/transcript-hostile,prompt/prompt-speed,state/message-list,dialogs/hostile-dialogs}.test.ts",
  "packages/engine/src/{upkeep/upkeep-property,snapcompact/print-archive}.test.ts",
  "packages/store/test/fold-facts.test.ts",
  "packages/tools/src/editing/hashline/{edit-property,recover-property,tag-search}.test.ts",
  "packages/tools/src/editing/{conflicts/conflicts,targets/database-row}.test.ts",
  "packages/tools/src/reading/{database-reading,archive-reading}.test.ts",
  "packages/tools/src/syntax/{ast-edit-many,grammars}.test.ts",
  "packages/sandbox/test/{shell-property,tree-sitter-agreement}.test.ts",
  "packages/protocol/test/view-random.test.ts",
  "packages/host/src/trust/git-programs.test.ts",
  "packages/host/test/transcripts/round-trip.test.ts",
  "packages/models/src/http/{open-socket,http-proxy}.test.ts",
  "packages/models/src/{chat/chat-reasoning,anthropic/anthropic-blocks}.test.ts",
  "packages/host/test/shell-cases.test.ts",
];
/**
 * Tests that start very many processes. A worker thread shares the memory of all others, and starting a process from a
 * gigabyte of it takes so long that the undo suite needed nine minutes; in a process of its own it needs one.
 */
const manyProcesses = [
  "packages/host/test/undo/*.test.ts",
  "packages/host/test/{aliases,contending-processes,shell-fuzz}.test.ts",
  "packages/store/test/{git-*,snapshots-folders,postgres-*,sqlite-store,large-session}.test.ts",
  "packages/store/src/rescue/*.test.ts",
  "packages/engine/test/{changed-files,undo-coverage}.test.ts",
  "packages/sandbox/test/{parse-differential,variable-differential,confinement-*}.test.ts",
  "packages/tools/src/shell/*.test.ts",
  "packages/testing/src/postgres/*.test.ts",
];
const leftOut = process.env["KEDGE_TEST_FAST"] === "1" ? slow : [];

export default defineConfig({
  test: {
    environment: "node",
    pool: "threads",
    // No module holds state, so files may share a worker: 47 instead of 69 s.
    isolate: false,
    // Tests wait for processes and sockets as much as they compute: on two cores a second worker saves 40 % of the time,
    // a third one loses it again.
    maxWorkers: 2,
    // Long enough for a machine that does much else at the same time: what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Only the tests of the whole program need it built; the others run while it cannot be.
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["packages/*/{src,test}/**/*.test.ts"],
          exclude: [...endToEnd, ...manyProcesses, ...leftOut],
        },
      },
      {
        extends: true,
        test: { name: "processes", pool: "forks", include: manyProcesses, exclude: leftOut },
      },
      {
        extends: true,
        test: {
          name: "program",
          pool: "forks",
          include: endToEnd,
          exclude: leftOut,
          globalSetup: ["scripts/build-before-tests.ts"],
        },
      },
    ],
  },
});
