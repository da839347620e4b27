import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { dataPolicy } from "#server/platform/content-policy.ts";
import type { Env } from "#server/platform/env.ts";
import { isLoopbackAuthority } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Answers posts from any origin: the CSP report and one-click unsubscribe, which carry no session. */
    anyOrigin?: boolean;
    /** Answers data that only scripts read: what a browser heeds in documents alone is left out, half a kilobyte each time. */
    isData?: boolean;
  }
}

const securityTexts = {
  foreignOrigin: "This request didn't come from our pages. Please reload the page and try again.",
} as const;

/**
 * Security headers on every answer (data goes without those that only documents need), and no unsafe method from a foreign page. Local use, where demo accounts may be,
 * answers to this machine's own names only (Product decision). Register before any route.
 */
export function registerSecurity(app: FastifyInstance, env: Env): void {
  const ofAll = headersOfAll(env);
  const ofDocuments = securityHeaders(env);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(request.routeOptions.config?.isData ? ofAll : ofDocuments);
    if (env.isLocalUse) requireLoopback(request);
    if (!isSafeMethod(request.method) && request.routeOptions.config?.anyOrigin !== true)
      requireOurOrigin(request, env);
    done();
  });
}

const headersOfAll = (env: Env): Record<string, string> => ({
  "content-security-policy": dataPolicy,
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  ...(env.publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
});

/** What every answer carries, also one that no hook of ours sees. */
export const securityHeaders = (env: Env): Record<string, string> => ({ ...headersOfAll(env), ...documentHeaders });

const documentHeaders = {
  "reporting-endpoints": 'csp="/csp-report"',
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), midi=(), browsing-topics=(), display-capture=()",
  "x-frame-options": "DENY",
};

const isSafeMethod = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS";

/**
 * Throws AppError "forbidden" unless the request comes from a page of ours: the Origin is the site's, and the browser,
 * where it says so, calls it the same site. In local use the address at hand (127.0.0.1 or localhost) is ours too.
 */
function requireOurOrigin(request: FastifyRequest, env: Env): void {
  const { origin, host } = request.headers;
  const fetchSite = request.headers["sec-fetch-site"];
  const isOurs =
    origin === env.publicUrl || (env.isLocalUse && isLoopbackAuthority(host) && origin === `http://${host}`);
  if (!isOurs || (fetchSite !== undefined && fetchSite !== "same-origin")) {
    request.log.info({ origin, fetchSite }, "foreign origin refused");
    throw new AppError("forbidden", securityTexts.foreignOrigin);
  }
}

/**
 * An onRequest hook for the tRPC scope: posts carry JSON (a form would pass the size limit and the browser's
 * preflight) and come from our pages.
 */
export function guardTrpcScope(env: Env) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isSafeMethod(request.method)) return;
    if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return refuseMediaType(reply);
    requireOurOrigin(request, env);
  };
}

/** An onRequest hook for the scope of uploads: a custom header, which no foreign form can send, and our Origin. */
export function guardUploadScope(env: Env) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isSafeMethod(request.method)) return;
    requireOurOrigin(request, env);
    if (request.headers["x-gona-upload"] !== "1") throw new AppError("forbidden", securityTexts.foreignOrigin);
    if (!/^multipart\/form-data\s*;/i.test(request.headers["content-type"] ?? "")) return refuseMediaType(reply);
  };
}

/** An onRequest hook: for anyone who doesn't call this machine by its own name, there is nothing here. */
export async function requireLoopbackHost(request: FastifyRequest): Promise<void> {
  requireLoopback(request);
}

function requireLoopback({ headers }: FastifyRequest): void {
  if (!isLoopbackAuthority(headers.host)) throw new AppError("not_found", "Not found");
}

async function refuseMediaType(reply: FastifyReply): Promise<void> {
  await reply.code(415).send({ error: { reason: "invalid", message: "The request could not be read." } });
}
