import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Context, createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { AppError } from "#server/core/errors.ts";
import { networkOf } from "#server/core/network.ts";
import { limitRate } from "#server/core/rate-limit.ts";
import { prepareUploadScope, receiveForm } from "#server/http/uploads.ts";
import { applicationPath } from "#shared/career-texts.ts";
import { applicationFieldBytes, submitApplicationFields } from "#shared/careers.ts";
import { errorTexts } from "#shared/errors.ts";
import { submitApplication } from "./service.ts";

/** Many phones share one address of their network operator, so this is generous. */
const applicationLimit = { hits: 30, windowSeconds: 3600 };

/** POST /uploads/applications: for anybody, with a resume or without. */
export async function registerCareerRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    await prepareUploadScope(scope, deps.env);
    scope.post(applicationPath, async (request, reply) => {
      const ctx = await createContext(deps, request, reply);
      // Counted before a byte of the body is read.
      await limitRate(ctx, `applications:${networkOf(ctx.ipAddress)}`, applicationLimit);
      await receiveApplication(ctx, request);
      return reply.header("cache-control", "no-store").send({});
    });
  });
}

async function receiveApplication(ctx: Context, request: FastifyRequest): Promise<void> {
  const options = { kind: "resume", storage: ctx.storage, fieldBytes: applicationFieldBytes } as const;
  const { fields, file } = await receiveForm(request, options);
  const parsed = submitApplicationFields.safeParse(fields);
  if (!parsed.success) {
    if (file) await ctx.storage.remove(file.key);
    throw new AppError("invalid", errorTexts.invalidInput, { fields: z.flattenError(parsed.error).fieldErrors });
  }
  await submitApplication(ctx, { ...parsed.data, resume: file });
}
