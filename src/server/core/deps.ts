import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "#server/core/clock.ts";
import type { Env } from "#server/core/env.ts";
import type { Events } from "#server/core/events.ts";
import type { Jobs } from "#server/core/jobs.ts";
import type { Mailer } from "#server/core/mailer.ts";
import type { Oidc } from "#server/core/oidc.ts";
import type { FileStorage } from "#server/core/storage.ts";
import type { Db } from "#server/db/open.ts";

/** Everything the application needs from outside, given to buildApp: the seam for tests. */
export type Deps = {
  env: Env;
  /** From APP_SECRET or kept in the data directory; derive a key per purpose with deriveKey. */
  appSecret: string;
  log: FastifyBaseLogger;
  clock: Clock;
  db: Db;
  jobs: Jobs;
  events: Events;
  mailer: Mailer;
  storage: FileStorage;
  /** Null where signing in with Google (or another OpenID provider in its place) isn't configured. */
  oidc: Oidc | null;
};
