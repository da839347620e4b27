import type { FastifyInstance } from "fastify";
import { parseUploadFields, receiveUpload } from "#server/files/uploads.ts";
import { createContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { reportPhotoFields } from "#shared/reports/inputs.ts";
import { requireReporter } from "./access.ts";
import { keepReportPhoto } from "./photos.ts";

/** POST /uploads/report-photos: one photo of a report, by the token of a link or by whoever reports for the project. */
export function registerReportUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post("/uploads/report-photos", async (request, reply) => {
    const ctx = await createContext(deps, request, reply);
    await limitRate(ctx, `report-photos:${ctx.actor?.id ?? networkOf(ctx.ipAddress)}`, {
      hits: 120,
      windowSeconds: 600,
    });
    const { fields, ...upload } = await receiveUpload(request, { kind: "photo", storage: ctx.storage });
    const { by, ...photo } = await parseUploadFields(ctx, reportPhotoFields, { fields, key: upload.key });
    const reporter = await requireReporter(ctx, by).catch(async (error) => {
      await ctx.storage.remove(upload.key);
      throw error;
    });
    return reply.header("cache-control", "no-store").send(await keepReportPhoto(ctx, reporter, { ...photo, upload }));
  });
}
