import { isIP } from "node:net";
import { z } from "zod";

/** Reads and checks the environment once. Only this file reads process.env. */

const emptyIsUnset = (value: unknown) => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(emptyIsUnset, schema.optional());
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
const url = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.test(new URL(value).protocol),
      `must be an address like ${example}`,
    );

const loopbackHosts = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);
export const isLoopbackHost = (host: string): boolean => loopbackHosts.has(host);

/** Secrets may only be sent to such an address. */
export function isHttpsOrLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

const portFault = "must be a port number from 1 to 65535";

const variables = z.object({
  NODE_ENV: optional(z.enum(["production", "development", "test"])),
  // Not 0: mails link to the port before the system has chosen one.
  PORT: optional(z.coerce.number(portFault).int(portFault).min(1, portFault).max(65_535, portFault)),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(url(/^https?:$/, "https://farms.example")),
  DATABASE_URL: optional(url(/^postgres(ql)?:$/, "postgres://user:password@host:5432/farms")),
  DATA_DIR: optional(z.string()),
  S3_ENDPOINT: optional(url(/^https?:$/, "https://s3.example")),
  S3_BUCKET: optional(z.string()),
  S3_REGION: optional(z.string()),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  SMTP_URL: optional(url(/^smtps?:$/, "smtp://user:password@host:587")),
  MAIL_FROM: optional(
    z
      .string()
      .regex(
        /^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/,
        "must be an address like Our Farms <hello@farms.example>",
      ),
  ),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: optional(
    z
      .string()
      .refine(isHttpsOrLoopback, "must be an address like https://accounts.google.com, http on this machine only"),
  ),
  APP_SECRET: optional(z.string().min(32, "must have at least 32 characters")),
  TRUST_PROXY: optional(z.string().transform(readTrustProxy)),
  REQUIRE_EMAIL_CONFIRMATION: optional(flag),
  DEMO: optional(flag),
  LOG_LEVEL: optional(z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])),
});

export type Env = {
  isProduction: boolean;
  /** Not production, and HOST and PUBLIC_URL are loopback. Demo accounts and /dev/mail exist only then. */
  isLocalUse: boolean;
  port: number;
  host: string;
  /** Origin of the site without a trailing slash, e.g. https://farms.example. */
  publicUrl: string;
  databaseUrl: string | undefined;
  dataDir: string;
  /** Null: files are stored in the data directory. */
  s3: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
  smtpUrl: string | undefined;
  /** A real site without a mail server: its mails stay in the data directory. */
  isMailKept: boolean;
  /** Undefined: the site's name, at the host of its address. */
  mailFrom: string | undefined;
  /** Null: no sign-in through Google. Without an issuer the provider is Google, else it is that OpenID provider. */
  google: { clientId: string; clientSecret: string; issuer: string | undefined } | null;
  /** Unset in local use: platform/secret.ts generates one and stores it in the data directory. */
  appSecret: string | undefined;
  /** Addresses and networks of proxies, or the number of proxies before the server; false trusts none. */
  trustProxy: string[] | number | false;
  requireEmailConfirmation: boolean;
  demo: boolean;
  logLevel: string;
};

/** Thrown by {@link readEnv}: one line for each variable that is wrong or missing. */
export class EnvError extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** Reads and checks the variables; throws {@link EnvError} naming every bad one. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    throw new EnvError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  }
  const vars = parsed.data;
  const isProduction = vars.NODE_ENV === "production";
  const missing = isProduction
    ? (["APP_SECRET", "PUBLIC_URL", "DATABASE_URL"] as const).filter((name) => vars[name] === undefined)
    : [];
  if (missing.length > 0) throw new EnvError([`production needs ${missing.join(", ")}`]);

  const port = vars.PORT ?? 3000;
  // PUBLIC_URL writes an IPv6 host in brackets, and a listener takes it without.
  const host = (vars.HOST ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const publicUrl = new URL(vars.PUBLIC_URL ?? `http://localhost:${port}`).origin;
  const isLocalUse = !isProduction && isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname);
  return {
    isProduction,
    isLocalUse,
    port,
    host,
    publicUrl,
    databaseUrl: vars.DATABASE_URL,
    dataDir: vars.DATA_DIR ?? "./data",
    s3: readS3(vars),
    smtpUrl: vars.SMTP_URL,
    isMailKept: isProduction && vars.SMTP_URL === undefined,
    mailFrom: vars.MAIL_FROM,
    google: readGoogle(vars),
    appSecret: vars.APP_SECRET,
    trustProxy: vars.TRUST_PROXY ?? false,
    requireEmailConfirmation: vars.REQUIRE_EMAIL_CONFIRMATION ?? vars.SMTP_URL !== undefined,
    demo: isLocalUse && vars.DATABASE_URL === undefined && vars.DEMO !== false,
    logLevel: vars.LOG_LEVEL ?? "info",
  };
}

/** All variables or none, so that no file lands on the local disk by mistake. */
function readS3(vars: z.infer<typeof variables>): Env["s3"] {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = vars;
  if (endpoint && bucket && region && accessKeyId && secretAccessKey) {
    return { endpoint, bucket, region, accessKeyId, secretAccessKey };
  }
  const missing = s3Names.filter((name) => vars[name] === undefined);
  if (missing.length === s3Names.length) return null;
  throw new EnvError([`keeping files in S3 needs ${missing.join(", ")}`]);
}

const s3Names = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** All variables or none. A disabled button with a reason is better than one that fails on the way back. */
function readGoogle(vars: z.infer<typeof variables>): Env["google"] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = vars;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret, issuer };
  if (clientId === undefined && clientSecret === undefined && issuer === undefined) return null;
  const missing = (["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] as const).filter((name) => vars[name] === undefined);
  throw new EnvError([`signing in with Google needs ${missing.join(", ")}`]);
}

const trustProxyForms =
  "the addresses or networks of your proxies, separated by commas (10.0.0.5,10.1.0.0/16), or how many of them a request passes (1)";

/**
 * Rejects networks of every address: if every address is a proxy, a client can choose its own, and no limit per address
 * holds.
 */
function readTrustProxy(value: string, { addIssue }: z.RefinementCtx): Env["trustProxy"] {
  if (value === "false") return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const entries = value.split(",").map((entry) => entry.trim());
  if (entries.every(isAddressOrNetwork)) return entries;
  const isAll = value === "true" || entries.some((entry) => entry.endsWith("/0"));
  addIssue(
    isAll ? `${value} would let anyone choose their address: write ${trustProxyForms}` : `must be ${trustProxyForms}`,
  );
  return z.NEVER;
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** For `npm run admin -- rotate-secret`. */
export function readOldSecret(): string | undefined {
  return process.env.OLD_APP_SECRET || undefined;
}

/** For `npm run admin` without a terminal. */
export function readAdminPassword(): string | undefined {
  return process.env.ADMIN_PASSWORD || undefined;
}

/** Returns true if a Host header names this machine. A foreign page (DNS rebinding) sends its own name. */
export function isLoopbackAuthority(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host.replace(/:\d+$/, "").toLowerCase());
}
