import { initTRPC, TRPCError } from "@trpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import superjson from "superjson";
import { z } from "zod";
import { type ErrorReason, errorTexts } from "#shared/errors.ts";
import type { Permission } from "#shared/permissions.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import { type ActorContext, type CallContext, type Context, createContext } from "./context.ts";
import type { Deps } from "./deps.ts";
import { AppError, refusalOf, trpcCodeOf } from "./errors.ts";
import { reportSecurityEvent } from "./security-events.ts";
import { fromWire, toWire } from "./serializer.ts";
import { isStorable } from "./text.ts";

export type ProcedureMeta = {
  /** Who may call a procedure stands on the procedure: the permission-matrix test reads it from here. */
  access: "public" | "backer" | "administrator" | Permission;
  /** A query whose answer depends on nothing but its input, projects and settings: it is kept, and the caller not looked up. */
  isShared?: true;
  /** The longest request, in bytes, where it is not {@link USUAL_BODY_BYTES}. */
  maxBodyBytes?: number;
};

export const USUAL_BODY_BYTES = 32 * 1024;

const t = initTRPC
  .context<CallContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: {
      input: { serialize: superjson.serialize, deserialize: fromWire },
      output: { serialize: toWire, deserialize: superjson.deserialize },
    },
    defaultMeta: { access: "public" },
    errorFormatter({ shape, error }) {
      const { reason, message, fields, details } = describe(error);
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason, fields, details },
      };
    },
  });

type Description = {
  reason: ErrorReason;
  message: string;
  fields?: Record<string, string[]> | undefined;
  details?: Record<string, string | number> | undefined;
};

/** What tRPC itself refuses, which no page of ours sends. Its own texts quote the request and name its parts. */
const unreadable: Description = { reason: "invalid", message: errorTexts.unreadable };
const refusalOfCode: Partial<Record<TRPCError["code"], Description>> = {
  BAD_REQUEST: unreadable,
  PARSE_ERROR: unreadable,
  UNSUPPORTED_MEDIA_TYPE: unreadable,
  METHOD_NOT_SUPPORTED: unreadable,
  PAYLOAD_TOO_LARGE: { reason: "invalid", message: errorTexts.tooLarge },
  NOT_FOUND: { reason: "not_found", message: errorTexts.notFound },
};

/** What leaves the server of an error: a reason, a sentence, field texts. Nothing of an unforeseen one. */
function describe(error: TRPCError): Description {
  const { cause } = error;
  if (cause instanceof AppError) {
    return { reason: cause.reason, message: cause.message, fields: cause.fields, details: cause.details };
  }
  if (cause instanceof z.ZodError) {
    const { fieldErrors, formErrors } = z.flattenError(cause);
    const fields = fieldErrors as Record<string, string[]>;
    return {
      reason: "invalid",
      message: formErrors[0] ?? Object.values(fields)[0]?.[0] ?? errorTexts.invalidInput,
      fields,
    };
  }
  return refusalOfCode[error.code] ?? { reason: "internal", message: errorTexts.internal };
}

/**
 * What stands before every procedure, as one middleware: each costs a copy of the context. Nobody whose rights can't be
 * read goes on as a stranger; an administrator's call says so (specification, section 8). Nothing goes on that no column
 * can hold. What a procedure refuses leaves under its own code.
 */
const guarded = t.middleware(async ({ ctx, meta, path, getRawInput, next }) => {
  if (ctx.actorFault !== undefined) throw withCode(faultOfCaller(ctx.actorFault, meta));
  if (!isStorable(await getRawInput())) throw withCode(new AppError("invalid", errorTexts.unstorableText));
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const refusal = refusalOf(result.error.cause);
  if (!refusal) return result;
  const isOfRights = refusal.reason === "forbidden" && meta?.access !== "public";
  if (ctx.actor && isOfRights) reportSecurityEvent(ctx, "access_refused", { userId: ctx.actor.id, reason: path });
  throw withCode(refusal);
});

function faultOfCaller(cause: unknown, meta: ProcedureMeta | undefined): unknown {
  if (meta?.access === "public" || meta?.access === "backer") return cause;
  return new AppError("unavailable", errorTexts.adminUnverified, { cause });
}

/** A refusal as tRPC's error of its kind; anything else as it is. */
function withCode(error: unknown): unknown {
  const cause = refusalOf(error);
  return cause ? new TRPCError({ code: trpcCodeOf[cause.reason], message: cause.message, cause }) : error;
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Anybody, signed in or not. */
export const publicProcedure = t.procedure.use(guarded);

/** The same answer for anybody, and no look at who asks: the context's actor is always null. */
export const sharedProcedure = publicProcedure.meta({ access: "public", isShared: true });

/** Anybody signed in. */
export const backerProcedure = publicProcedure.meta({ access: "backer" }).use(({ ctx, next }) => {
  return next({ ctx: { ...ctx, actor: requireActor(ctx) } satisfies ActorContext });
});

/** Administrators whatever they may do, also before they have the second factor that the setting asks for. */
export const administratorProcedure = publicProcedure.meta({ access: "administrator" }).use(({ ctx, next }) => {
  const actor = requireActor(ctx);
  if (!actor.isAdmin) throw new AppError("forbidden", errorTexts.adminRequired);
  return next({ ctx: { ...ctx, actor } satisfies ActorContext });
});

/** Administrators who hold the permission now, by the database. Some send long texts: `maxBodyBytes` is their request's size. */
export function adminProcedure(permission: Permission, longer: Pick<ProcedureMeta, "maxBodyBytes"> = {}) {
  return publicProcedure.meta({ access: permission, ...longer }).use(({ ctx, next }) => {
    return next({ ctx: { ...ctx, actor: requirePermission(ctx, permission) } satisfies ActorContext });
  });
}

/** Also for file routes, which are no procedures. Throws "Authentication required". */
export function requireActor(ctx: Context) {
  if (!ctx.actor) throw new AppError("unauthenticated", errorTexts.signInRequired);
  return ctx.actor;
}

/** Also for file routes. Throws "Authentication required", "Admin privileges required" or "Set up two-factor sign-in in your account first." */
function requirePermission(ctx: Context, permission: Permission) {
  const actor = requireActor(ctx);
  if (actor.mustSetUpTwoFactor) throw new AppError("forbidden", twoFactorTexts.required);
  if (!actor.permissions.includes(permission)) throw new AppError("forbidden", errorTexts.adminRequired);
  return actor;
}

/**
 * For routes that are no procedures: the caller's context, known before a byte of a body is read. Throws as
 * {@link requirePermission} does; without a permission anybody may call who is signed in.
 */
export async function createActorContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  permission?: Permission,
): Promise<ActorContext> {
  const ctx = await createContext(deps, request, reply);
  if (!permission) return { ...ctx, actor: requireActor(ctx) };
  try {
    return { ...ctx, actor: requirePermission(ctx, permission) };
  } catch (error) {
    if (ctx.actor) reportSecurityEvent(ctx, "access_refused", { userId: ctx.actor.id, reason: permission });
    throw error;
  }
}
