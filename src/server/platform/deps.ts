import type { FastifyBaseLogger } from "fastify";
import type { Oidc } from "#server/accounts/google/oidc.ts";
import type { Db } from "#server/db/open.ts";
import type { FileStorage } from "#server/files/storage.ts";
import type { Mailer } from "#server/mail/mailer.ts";
import type { Clock } from "./clock.ts";
import type { Env } from "./env.ts";
import type { Events } from "./events.ts";
import type { Jobs } from "./jobs.ts";

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
