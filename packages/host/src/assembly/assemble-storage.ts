/** What is kept of sessions beside their facts: snapshots, files of them, and how long all of it stays. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createGitSnapshots } from "@kedge/store";
import { isAlive } from "../machine/identity.ts";
import { newRequestId } from "../machine/ids.ts";
import { findProject, type Project } from "../machine/project.ts";
import { createRetention } from "../retention/retention.ts";
import { createSessionCatchUp } from "../retention/session-catch-up.ts";
import { createSessionFiles, type SessionFiles } from "../sessions/session-files.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import type { ProcessParts } from "./process-parts.ts";

export type Storage = ReturnType<typeof assembleStorage>;

export function assembleStorage(options: AssembleOptions, own: ProcessParts, opened: Store) {
  const { configuration, home, project, environment, userDirectory, kedgeVersion, onNotice } = options;
  const { holder, tie, redact, now, newId } = own;
  const { projectId } = project;
  const newSnapshots = (workspace: Project) =>
    createGitSnapshots({
      directory: join(home.snapshots, workspace.projectId),
      root: workspace.root,
      environment: () => tie.environment(childEnvironment(environment, { scrub: true })),
      home: userDirectory,
      isInsideGitRepository: workspace.isGitRepository,
      processes: { own: holder, isAlive },
    });
  const snapshots = newSnapshots(project);
  const catchUp = createSessionCatchUp({
    ...{ store: opened, snapshots },
    ...(configuration.transcripts.length > 0 && { transcripts: { load: () => sessionFiles.transcripts(), projectId } }),
  });
  const { store } = catchUp;
  const sessionFiles: SessionFiles = createSessionFiles({
    ...{ store, holder, environment, redact, newRequestId, now, kedgeVersion, projectId, newId },
    ...{ home: home.directory, directory: project.cwd, kept: configuration.transcripts, onNotice },
  });
  const retention = createRetention({
    ...{ store, holder, home, project, snapshots, now, redact, onNotice, settings: configuration.retention },
    snapshotsOf: (directory, owner) =>
      existsSync(directory) ? newSnapshots({ ...findProject(directory), projectId: owner }) : undefined,
    rewriteTranscripts: async (sessionId) => (await sessionFiles.transcripts()).rewrite(sessionId),
  });
  return { store, snapshots, newSnapshots, catchUp, sessionFiles, retention };
}
