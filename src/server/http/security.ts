import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { dataPolicy } from "#server/platform/content-policy.ts";
import type { Env } from "#server/platform/env.ts";
import { isLoopbackAuthority } from "#server/platform/env.ts";
import { AppError } from "#server/platform/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Accepts posts from any origin: the CSP report and one-click unsubscribe, which use no session. */
    anyOrigin?: boolean;
    /**
     * The response is data for scripts, so headers that only documents need are left out. They take half a kilobyte.
     */
    isData?: boolean;
  }
}

const securityTexts = {
  foreignOrigin: "This request didn't come from our pages. Please reload the page and try again.",
} as const;

/**
 * Sets the security headers of every response (data goes without those that only documents need), and refuses unsafe
 * methods from foreign pages. In local use, where demo accounts may exist, it serves only this machine's own names
 * (Product decision). Register it before any route.
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

/** The headers of every response; responses that skip our hooks set them themselves. */
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
 * Throws AppError "forbidden" unless the request comes from our pages: the Origin is the site's, and Sec-Fetch-Site, if
 * sent, is "same-origin". In local use the requested address (127.0.0.1 or localhost) counts too.
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
 * An onRequest hook for the tRPC scope. Posts must be JSON, because a form would bypass the size limit and the
 * browser's preflight, and must come from our pages.
 */
export function guardTrpcScope(env: Env) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isSafeMethod(request.method)) return;
    if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return refuseMediaType(reply);
    requireOurOrigin(request, env);
  };
}

/** An onRequest hook for uploads: requires our Origin, and a custom header that no foreign form can send. */
export function guardUploadScope(env: Env) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isSafeMethod(request.method)) return;
    requireOurOrigin(request, env);
    if (request.headers["x-upload"] !== "1") throw new AppError("forbidden", securityTexts.foreignOrigin);
    if (!/^multipart\/form-data\s*;/i.test(request.headers["content-type"] ?? "")) return refuseMediaType(reply);
  };
}

/** An onRequest hook: responds 404 unless the request names this machine itself. */
export async function requireLoopbackHost(request: FastifyRequest): Promise<void> {
  requireLoopback(request);
}

function requireLoopback({ headers }: FastifyRequest): void {
  if (!isLoopbackAuthority(headers.host)) throw new AppError("not_found", "Not found");
}

async function refuseMediaType(reply: FastifyReply): Promise<void> {
  await reply.code(415).send({ error: { reason: "invalid", message: "The request could not be read." } });
}
