import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendByLink } from "#server/files/send-file.ts";
import { parseUploadFields, receiveForm } from "#server/files/uploads.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { AppError } from "#server/platform/errors.ts";
import { networkOf } from "#server/platform/network.ts";
import { createActorContext } from "#server/platform/procedures.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { applicationFieldBytes, submitApplicationFields } from "#shared/careers/inputs.ts";
import { applicantTexts, applicationPath } from "#shared/careers/texts.ts";
import { errorTexts } from "#shared/errors.ts";
import { findResumeFile, resumePath } from "./queries.ts";
import { submitApplication } from "./service.ts";

/** Generous, because many phones share one IP address of their network operator. */
const applicationLimit = { hits: 30, windowSeconds: 3600 };

/** POST /uploads/applications: for anybody, with or without a resume. "not_found" while the site offers no jobs. */
export function registerCareerUploads(scope: FastifyInstance, deps: Deps): void {
  scope.post(applicationPath, async (request, reply) => {
    const ctx = await createContext(deps, request, reply);
    if (!ctx.site.current().hasCareers) throw new AppError("not_found", errorTexts.notFound);
    // Counted before a byte of the body is read.
    await limitRate(ctx, `applications:${networkOf(ctx.ipAddress)}`, applicationLimit);
    await receiveApplication(ctx, request);
    return reply.header("cache-control", "no-store").send({});
  });
}

/** GET /files/resumes/{id}: for administrators. */
export function registerCareerRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { fileId: string } }>("/files/resumes/:fileId", async (request, reply) => {
    const reader = await createActorContext(deps, request, reply, "users:manage");
    const { fileId: id } = request.params;
    return sendByLink(reader, reply, {
      id,
      path: resumePath(id),
      find: () => findResumeFile(reader, id),
      // Never inline: any document is downloaded.
      disposition: "attachment",
      texts: { gone: applicantTexts.resumeUnavailable, expired: applicantTexts.linkExpired },
    });
  });
}

async function receiveApplication(ctx: Context, request: FastifyRequest): Promise<void> {
  const options = { kind: "resume", storage: ctx.storage, fieldBytes: applicationFieldBytes } as const;
  const { fields, file } = await receiveForm(request, options);
  const given = await parseUploadFields(ctx, submitApplicationFields, { fields, key: file?.key });
  await submitApplication(ctx, { ...given, resume: file });
}
