import type { FastifyReply, FastifyRequest } from "fastify";
import { type ActorContext, createContext } from "#server/core/context.ts";
import type { Deps } from "#server/core/deps.ts";
import { reportSecurityEvent } from "#server/core/security-events.ts";
import { requireActor, requirePermission } from "#server/core/trpc.ts";
import type { Permission } from "#shared/permissions.ts";

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
