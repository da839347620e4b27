import { mkdir } from "node:fs/promises";
import type { FastifyBaseLogger } from "fastify";
import { findActor } from "#server/accounts/sessions.ts";
import { migrate } from "#server/db/migrate.ts";
import { type DatabaseHandle, openDatabase } from "#server/db/open.ts";
import { createStorage } from "#server/files/open-storage.ts";
import { createMailer, senderOf } from "#server/mail/mailer.ts";
import { systemClock } from "#server/platform/clock.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Env } from "#server/platform/env.ts";
import { type Events, openEvents } from "#server/platform/events.ts";
import { type Jobs, openJobs } from "#server/platform/jobs.ts";
import { createLogger } from "#server/platform/logger.ts";
import { loadAppSecret } from "#server/platform/secret.ts";
import { openSite } from "#server/platform/site.ts";

/**
 * Opens what the environment names: a migrated database, file storage, mail and the job queue. `close` closes them in
 * order. If it throws, it has closed the database, whose attempts to reconnect would keep the process alive.
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
  const { events, jobs } = await openOnDatabase(handle, log);
  const site = await openSite({ db: handle.db, events, env, log });
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    from: () => env.mailFrom ?? senderOf(site.current()),
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
    deps: {
      env,
      appSecret,
      log,
      clock: systemClock,
      db: handle.db,
      jobs,
      events,
      mailer,
      storage,
      oidc,
      findActor,
      site,
    },
    handle,
    async close() {
      site.close();
      await jobs.stop();
      await mailer.close();
      await handle.close();
    },
  };
}

/** Migrates the database, and opens the live events and jobs on it. Closes the database if that fails. */
async function openOnDatabase(handle: DatabaseHandle, log: FastifyBaseLogger): Promise<{ events: Events; jobs: Jobs }> {
  try {
    const [events] = await Promise.all([openEvents(handle, { log }), migrate(handle)]);
    return { events, jobs: await openJobs(handle, { log }) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
