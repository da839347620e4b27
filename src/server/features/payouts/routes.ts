import type { FastifyInstance } from "fastify";
import { readPayoutFile } from "#server/features/payouts/runs/export.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { payoutFileInput } from "#shared/payouts/inputs.ts";
import { payoutFilePath, payoutRunTexts } from "#shared/payouts/runs-texts.ts";
import { payoutFileFormats } from "#shared/payouts/texts.ts";

const contentTypes = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** GET /files/payout-runs/{id}/payouts.csv and .xlsx: the bytes that the bank gets, the same each time. */
export function registerPayoutFiles(app: FastifyInstance, deps: Deps): void {
  for (const format of payoutFileFormats) {
    app.get(payoutFilePath(":runId", format), { exposeHeadRoute: false }, async (request, reply) => {
      const ctx = await createActorContext(deps, request, reply, "payouts:process");
      const { runId } = request.params as { runId: string };
      const { layout = "1" } = request.query as { layout?: unknown };
      const asked = payoutFileInput.safeParse({ runId, layout });
      if (!asked.success) throw new AppError("not_found", payoutRunTexts.noFile);
      const { bytes, sha256 } = await readPayoutFile(ctx, { ...asked.data, format });
      return reply
        .type(contentTypes[format])
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="${fileNameOf(asked.data)}.${format}"`)
        .header("x-content-sha256", sha256)
        .send(bytes);
    });
  }
}

const fileNameOf = ({ runId, layout }: { runId: number; layout: number }): string =>
  layout === 1 ? `payout-run-${runId}` : `payout-run-${runId}-layout-${layout}`;
