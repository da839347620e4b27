import type { FastifyInstance } from "fastify";
import { sendFile } from "#server/files/send-file.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { listFarmsWithRight } from "#server/platform/farm-rights.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { farmPastTexts as texts } from "#shared/farm-past/texts.ts";
import { rowIdField } from "#shared/ids.ts";
import { findPastFile } from "./queries.ts";

/** GET /files/farm-past/{id}: evidence of what a farm tells, for its keepers and the office. A photo is sent re-encoded. */
export function registerPastFiles(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { id: string } }>("/files/farm-past/:id", async (request, reply) => {
    const ctx = await createActorContext(deps, request, reply);
    const id = rowIdField.safeParse(request.params.id);
    const keptFarmIds = (await listFarmsWithRight(ctx, "keep")).map(({ farmId }) => farmId);
    const isOffice = ctx.actor.permissions.includes("projects:edit");
    const file = id.success ? await findPastFile(ctx.db, { fileId: id.data, isOffice, keptFarmIds }) : undefined;
    if (!file) throw new AppError("not_found", texts.gone);
    return sendFile(reply, { ...file, storage: deps.storage, disposition: "inline" });
  });
}
