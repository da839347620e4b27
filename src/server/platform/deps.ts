import type { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import type { Db, DbOrTx } from "#server/db/open.ts";
import type { Permission, Role } from "#shared/permissions.ts";
import type { SessionKind } from "#shared/sessions.ts";
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
  findActor: FindActor;
};

/** Who acts, with rights as the database has them at this request. */
export type Actor = {
  id: string;
  email: string;
  fullName: string;
  isAdmin: boolean;
  roles: Role[];
  permissions: Permission[];
  /** Administrators must have a second factor here and this one has none yet: until then they hold no permission. */
  mustSetUpTwoFactor: boolean;
  /** `expiresAt` is the earlier of `idleEndsAt`, which slides with activity, and `endsAt`, the absolute limit. */
  session: {
    idHash: string;
    kind: SessionKind;
    idleLimitMinutes: number;
    idleEndsAt: Date;
    expiresAt: Date;
    endsAt: Date;
  };
};

/** The person behind a session token, or null: unknown, expired, blocked or closed. */
export type FindActor = (deps: { db: DbOrTx; clock: Clock }, token: string | undefined) => Promise<Actor | null>;

export type OutgoingMail = {
  /** One plain address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Like "<id@host>": a mail that is sent again keeps it, so that the reader's program shows it once. */
  messageId: string;
  headers?: Record<string, string>;
};

export type Mailer = {
  /** Throws when the mail wasn't taken: MailRefusedError if trying again is useless, else the queue retries. */
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
};

/** What a disk and S3 offer alike. A file is whole or absent: a half-written one never appears under its key. */
export type FileStore = {
  /**
   * Stores what the source gives, durably; an error of the source leaves nothing and is thrown on.
   * Throws AppError "unavailable" where the disk is full or the S3 server doesn't take it.
   */
  write(key: string, source: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  /** The file's bytes, or those from `start` to `end` (both included). Throws FileMissingError. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Bytes. Throws FileMissingError. */
  size(key: string): Promise<number>;
  exists(key: string): Promise<boolean>;
  /** Gives the file another key: at once on a disk; in S3 it has both for a moment. Throws FileMissingError. */
  move(key: string, newKey: string): Promise<void>;
  /** Removing what isn't there is no error. */
  remove(key: string): Promise<void>;
  /** Every stored file, or those under a prefix that ends at a slash, e.g. "receipt/". */
  list(prefix?: string): AsyncIterable<{ key: string; modifiedAt: Date }>;
};

/** Where uploaded files live. */
export type FileStorage = FileStore & {
  /** From now on `remove` only takes note, until the returned function is called: it removes what was noted. */
  holdRemovals(): () => Promise<void>;
  areRemovalsHeld(): boolean;
};

/** Signing in at an OpenID provider: authorization code with PKCE, state and nonce, and a verified id_token. */
export type Oidc = {
  /** Where to send the browser, and what to keep meanwhile. Throws OidcError "unreachable". */
  begin(
    request: OidcFlowPurpose & { kind: SessionKind; next?: string | undefined },
  ): Promise<{ url: string; saved: OidcFlow }>;
  /** The verified claims of the person who came back. Throws OidcError. */
  finish(answer: OidcAnswer, saved: OidcFlow): Promise<OidcClaims>;
};

/**
 * To sign in or up (which differ only in where they lead and what is said of a failure), or to link an identity to the
 * account of the person who is signed in.
 */
export type OidcFlowPurpose = { purpose: "sign-in" | "sign-up" } | { purpose: "link"; userId: string };

/** One way to the provider and back. */
export type OidcFlow = OidcFlowPurpose & {
  /** Whose callback page ends it. */
  kind: SessionKind;
  /** A path of ours to go to afterwards. */
  next: string | null;
  state: string;
  nonce: string;
  codeVerifier: string;
};

/** Who the provider says has signed in. The address counts as theirs only where it is verified. */
export type OidcClaims = { subject: string; email: string; isEmailVerified: boolean; fullName: string };

/** The query of the callback page, as it arrived. */
export type OidcAnswer = { code?: string | undefined; state?: string | undefined; error?: string | undefined };
