import { mkdir } from "node:fs/promises";
import { findActor } from "#server/accounts/sessions.ts";
import { migrate } from "#server/db/migrate.ts";
import { type DatabaseHandle, openDatabase } from "#server/db/open.ts";
import { createStorage } from "#server/files/open-storage.ts";
import { createMailer } from "#server/mail/mailer.ts";
import { systemClock } from "#server/platform/clock.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Env } from "#server/platform/env.ts";
import { openEvents } from "#server/platform/events.ts";
import { openJobs } from "#server/platform/jobs.ts";
import { createLogger } from "#server/platform/logger.ts";
import { loadAppSecret } from "#server/platform/secret.ts";

/**
 * Opens what the environment names: a migrated database, file storage, mail and the job queue. `close` closes them in
 * order.
 */
export async function openDeps(
  env: Env,
  options: { isRotating?: boolean } = {},
): Promise<{ deps: Deps; handle: DatabaseHandle; close(): Promise<void> }> {
  const log = createLogger({ level: env.logLevel, isReadable: !env.isProduction });
  await mkdir(env.dataDir, { recursive: true });
  const [appSecret, storage, handle] = await Promise.all([
    loadAppSecret(env, options),
    createStorage(env),
    openDatabase({ url: env.databaseUrl, dataDir: env.dataDir }),
  ]);
  const [events] = await Promise.all([openEvents(handle, { log }), migrate(handle)]);
  const jobs = await openJobs(handle, { log });
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    from: env.mailFrom,
    dataDir: env.dataDir,
    clock: systemClock,
    log,
  });
  // Loaded only if it is configured.
  const oidc =
    env.google &&
    (await import("#server/accounts/google/oidc.ts")).createOidc({
      ...env.google,
      publicUrl: env.publicUrl,
      clock: systemClock,
    });
  return {
    deps: { env, appSecret, log, clock: systemClock, db: handle.db, jobs, events, mailer, storage, oidc, findActor },
    handle,
    async close() {
      await jobs.stop();
      await mailer.close();
      await handle.close();
    },
  };
}
