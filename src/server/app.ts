import { createServer } from "node:http";
import fastifyCookie from "@fastify/cookie";
import Fastify, { type FastifyInstance } from "fastify";
import { registerAuthRoutes } from "#server/accounts/routes.ts";
import {
  registerSampleStatement,
  registerStatementFiles,
  registerStatementUploads,
} from "#server/features/bank/routes.ts";
import { registerCareerRoutes, registerCareerUploads } from "#server/features/careers/routes.ts";
import { registerExports } from "#server/features/exports/routes.ts";
import { registerPastFiles } from "#server/features/farm-past/routes.ts";
import { registerHarvestFiles, registerHarvestUploads } from "#server/features/harvests/routes.ts";
import { registerNotificationRoutes } from "#server/features/notifications/routes.ts";
import { registerPaperFiles } from "#server/features/papers/routes.ts";
import { registerReceiptRoutes, registerReceiptUploads } from "#server/features/payments/buying/routes.ts";
import { registerPaymentEvidence, registerPaymentEvidenceUploads } from "#server/features/payments/evidence/routes.ts";
import { registerProofFiles, registerProofUploads } from "#server/features/payouts/release-parts/routes.ts";
import { registerPayoutFiles } from "#server/features/payouts/routes.ts";
import { registerExportRoutes } from "#server/features/people/users/routes.ts";
import { registerMediaRoutes, registerMediaUploads } from "#server/features/projects/media/routes.ts";
import { registerProjectUploads } from "#server/features/projects/routes.ts";
import { registerUpdateUploads } from "#server/features/projects/updates/routes.ts";
import { registerReportUploads } from "#server/features/reports/routes.ts";
import { openReport } from "#server/features/reports/service.ts";
import { registerMarks, registerMarkUploads } from "#server/features/site/profile/routes.ts";
import { withBodyDeadline } from "#server/http/body-deadline.ts";
import { registerCspReport } from "#server/http/csp-report.ts";
import { registerDevMail } from "#server/http/dev-mail.ts";
import { refuseAddress, refuseConnection, registerErrorHandler } from "#server/http/errors.ts";
import { registerHealth } from "#server/http/health.ts";
import { registerIcons } from "#server/http/icons.ts";
import { registerLive, STREAMS_PER_NETWORK } from "#server/http/live.ts";
import { registerMailPreviews } from "#server/http/mail-previews.ts";
import { registerOverload } from "#server/http/overload.ts";
import { openPages } from "#server/http/pages/answer-page.ts";
import { registerCards } from "#server/http/pages/cards.ts";
import { registerReportPages } from "#server/http/pages/report-page.ts";
import { registerSiteMap } from "#server/http/pages/site-map.ts";
import { registerPhotos } from "#server/http/photos.ts";
import { registerForwarded, trustedProxies } from "#server/http/proxies.ts";
import { registerSecurity } from "#server/http/security.ts";
import { registerStatic } from "#server/http/static.ts";
import { registerTrpc } from "#server/http/trpc.ts";
import { registerUploads } from "#server/http/upload-scope.ts";
import { createContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { registerRequestLog, requestLogOptions } from "#server/platform/logger.ts";
import { LIVE_HEARTBEAT_MS } from "#shared/live.ts";
import { builtClient } from "./root.ts";

/**
 * Builds the whole HTTP side on the given dependencies, without listening; tests call it too.
 * On close, requests have `finishMs` to end, so that a hanging one can't keep jobs and database from an orderly stop.
 */
export async function buildApp(
  deps: Deps,
  {
    distDir = builtClient,
    finishMs = 8000,
    heartbeatMs = LIVE_HEARTBEAT_MS,
    streamsPerNetwork = STREAMS_PER_NETWORK,
    isCached = true,
    receiveMs = 30_000,
  }: {
    distDir?: string;
    finishMs?: number;
    heartbeatMs?: number;
    streamsPerNetwork?: number;
    /** True if public responses are cached. The bench also measures them uncached. */
    isCached?: boolean;
    /** The time limit for a request's head, and for its body outside uploads. */
    receiveMs?: number;
  } = {},
): Promise<FastifyInstance> {
  const refuse = refuseConnection(deps.env);
  const timeouts = {
    // A receipt of 10 MB takes minutes on a weak signal, a video of 200 MB up to three quarters of an hour.
    requestTimeout: 45 * 60_000,
    keepAliveTimeout: 72_000,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: Math.min(receiveMs, 5000),
  };
  const app = Fastify({
    ...requestLogOptions,
    loggerInstance: deps.log,
    trustProxy: trustedProxies(deps.env),
    bodyLimit: 32 * 1024,
    routerOptions: { maxParamLength: 5000 },
    frameworkErrors: refuseAddress(deps.env),
    clientErrorHandler: refuse,
    ...timeouts,
    serverFactory: (handle) => createServer(timeouts, withBodyDeadline({ receiveMs, refuse }, handle)),
    forceCloseConnections: "idle",
  });
  app.addHook("preClose", async () => {
    setTimeout(() => app.server.closeAllConnections(), finishMs).unref();
  });
  registerErrorHandler(app);
  registerForwarded(app);
  registerRequestLog(app);
  registerSecurity(app, deps.env);
  await registerOverload(app);
  await app.register(fastifyCookie);
  registerHealth(app, deps);
  registerCspReport(app, deps);
  registerDevMail(app, deps.env);
  registerMailPreviews(app, deps);
  await registerTrpc(app, deps, { isCached });
  registerLive(app, deps, { heartbeatMs, streamsPerNetwork });
  registerAuthRoutes(app, deps);
  await registerMediaRoutes(app, deps, { distDir });
  registerNotificationRoutes(app, deps);
  registerReceiptRoutes(app, deps);
  registerCareerRoutes(app, deps);
  registerExportRoutes(app, deps);
  registerExports(app, deps);
  registerPayoutFiles(app, deps);
  registerHarvestFiles(app, deps);
  registerProofFiles(app, deps);
  registerPastFiles(app, deps);
  registerPaymentEvidence(app, deps);
  registerPaperFiles(app, deps);
  registerStatementFiles(app, deps);
  registerSampleStatement(app, deps);
  registerPhotos(app, deps);
  registerMarks(app, deps);
  registerIcons(app, deps, { distDir });
  await registerUploads(app, deps.env, (scope) => {
    registerMediaUploads(scope, deps);
    registerReportUploads(scope, deps);
    registerProjectUploads(scope, deps);
    registerUpdateUploads(scope, deps);
    registerReceiptUploads(scope, deps);
    registerCareerUploads(scope, deps);
    registerStatementUploads(scope, deps);
    registerHarvestUploads(scope, deps);
    registerProofUploads(scope, deps);
    registerPaymentEvidenceUploads(scope, deps);
    registerMarkUploads(scope, deps);
  });
  registerCards(app, deps, { distDir });
  registerSiteMap(app, deps);
  await registerReportPages(app, deps, {
    distDir,
    openReport: async (by, request, reply) => openReport(await createContext(deps, request, reply), { by }),
  });
  await registerStatic(app, { distDir, pageOf: openPages(app, deps, { distDir }) });
  return app;
}
