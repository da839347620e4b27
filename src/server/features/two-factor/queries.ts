import type { ActorContext } from "#server/core/context.ts";
import { countRecoveryCodes, findConfirmedFactor } from "#server/core/second-factor.ts";
import { requiresTwoFactor } from "#server/features/settings/queries.ts";

/** The caller's second factor: since when (null: off), how many recovery codes still work, whether it is mandatory. */
export async function describeTwoFactor({ db, actor }: ActorContext) {
  const factor = await findConfirmedFactor(db, actor.id);
  return {
    enabledAt: factor?.confirmedAt ?? null,
    recoveryCodesLeft: factor ? await countRecoveryCodes(db, actor.id) : 0,
    isMandatory: await requiresTwoFactor(db),
  };
}
