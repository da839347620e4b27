import type { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import type { Db, DbOrTx } from "#server/db/open.ts";
import type { SessionKind } from "#shared/accounts/sessions.ts";
import type { Permission, Role } from "#shared/permissions.ts";
import type { Site } from "#shared/site/site.ts";
import type { Clock } from "./clock.ts";
import type { Env } from "./env.ts";
import type { Events } from "./events.ts";
import type { Jobs } from "./jobs.ts";

/** The application's external dependencies, given to buildApp: the seam for tests. */
export type Deps = {
  env: Env;
  /** From APP_SECRET or the data directory. Derive a key per purpose with deriveKey. */
  appSecret: string;
  log: FastifyBaseLogger;
  clock: Clock;
  db: Db;
  jobs: Jobs;
  events: Events;
  mailer: Mailer;
  storage: FileStorage;
  /** Null where sign-in with Google (or another OpenID provider in its place) isn't configured. */
  oidc: Oidc | null;
  findActor: FindActor;
  site: SiteReader;
};

/** The operator's profile, kept in memory, because every page, mail and paper names it. */
export type SiteReader = {
  current(): Site;
  /**
   * Reads it again: whoever wrote a version does it after the commit. Other processes do it when the database announces
   * it.
   */
  refresh(): Promise<void>;
  close(): void;
};

/** The person who acts, with rights as the database has them at this request. */
export type Actor = {
  id: string;
  email: string;
  fullName: string;
  isAdmin: boolean;
  roles: Role[];
  permissions: Permission[];
  /** The settings require a second factor and this administrator has none yet. They hold no permission until then. */
  mustSetUpTwoFactor: boolean;
  /** `expiresAt` is the earlier of `idleEndsAt`, which slides with activity, and `endsAt`, the absolute limit. */
  session: {
    idHash: string;
    kind: SessionKind;
    idleLimitMinutes: number;
    idleEndsAt: Date;
    expiresAt: Date;
    endsAt: Date;
    /** When the person last gave the password (and code) in this session. */
    provedAt: Date | null;
  };
};

/**
 * Finds the person of a session token. Null if the token is unknown or expired, or the account is blocked or closed.
 */
export type FindActor = (deps: { db: DbOrTx; clock: Clock }, token: string | undefined) => Promise<Actor | null>;

export type OutgoingMail = {
  /** One plain address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Like "<id@host>". A retried mail keeps it, so that the recipient's mail program shows it once. */
  messageId: string;
  headers?: Record<string, string>;
};

export type Mailer = {
  /** Throws when the mail wasn't accepted: MailRefusedError if a retry is useless, else the queue retries. */
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
};

/**
 * The operations of both the disk and S3. A file is whole or absent: a half-written one never appears under its key.
 */
export type FileStore = {
  /**
   * Stores the source durably. If the source fails, nothing is stored and its error is rethrown.
   * Throws AppError "unavailable" when the disk is full or the S3 server doesn't accept the file.
   */
  write(key: string, source: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  /** The file's bytes, or those from `start` to `end` (both included). Throws FileMissingError. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** In bytes. Throws FileMissingError. */
  size(key: string): Promise<number>;
  exists(key: string): Promise<boolean>;
  /** Renames a file: atomic on a disk; in S3 both keys exist for a moment. Throws FileMissingError. */
  move(key: string, newKey: string): Promise<void>;
  /** Removing a missing file is no error. */
  remove(key: string): Promise<void>;
  /** Every stored file, or those under a prefix that ends at a slash, e.g. "receipt/". */
  list(prefix?: string): AsyncIterable<{ key: string; modifiedAt: Date }>;
};

/** Where uploaded files live. */
export type FileStorage = FileStore & {
  /**
   * Defers removals: until the returned function is called, `remove` only records keys. That function then removes
   * them.
   */
  holdRemovals(): () => Promise<void>;
  areRemovalsHeld(): boolean;
};

/** Sign-in at an OpenID provider: authorization code with PKCE, state and nonce, and a verified id_token. */
export type Oidc = {
  /** Returns the address for the browser and the state to keep meanwhile. Throws OidcError "unreachable". */
  begin(
    request: OidcFlowPurpose & { kind: SessionKind; next?: string | undefined },
  ): Promise<{ url: string; saved: OidcFlow }>;
  /** Returns the verified claims of the returning person. Throws OidcError. */
  finish(answer: OidcAnswer, saved: OidcFlow): Promise<OidcClaims>;
};

/**
 * The purpose of a flow. Sign-in and sign-up differ only in where they lead and in the text of a failure. Linking adds
 * an identity to the signed-in person's account.
 */
export type OidcFlowPurpose = { purpose: "sign-in" | "sign-up" } | { purpose: "link"; userId: string };

/** One trip to the provider and back. */
export type OidcFlow = OidcFlowPurpose & {
  /** The kind of session whose callback page ends the flow. */
  kind: SessionKind;
  /** Where to go afterwards: a path of this site. */
  next: string | null;
  state: string;
  nonce: string;
  codeVerifier: string;
};

/** The person that the provider names. The address counts as theirs only if it is verified. */
export type OidcClaims = { subject: string; email: string; isEmailVerified: boolean; fullName: string };

/** The callback page's query, unchecked. */
export type OidcAnswer = { code?: string | undefined; state?: string | undefined; error?: string | undefined };
