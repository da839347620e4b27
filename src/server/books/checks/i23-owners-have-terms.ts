import { sql } from "drizzle-orm";
import { activeOwners } from "#server/accounts/owners/owner-terms.ts";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * Each owner has one term that stands, and nobody else has.
 *
 * By an owner's term is read who counts as one of two people. A finding means that a change of rights forgot
 * `keepOwnerTerms`.
 */
export const ownersHaveTerms: Invariant = {
  name: "I23 each owner has one term that stands, and nobody else has",
  query: () => sql`
    select 'owner without a term that stands' as violation, jsonb_build_object('userId', owner.id) as row
    from (${activeOwners}) owner
    where not exists (select from owner_terms t where t.user_id = owner.id and t.until is null)
    union all
    select 'term that stands of who is no owner', jsonb_build_object('userId', t.user_id, 'since', t.since)
    from owner_terms t where t.until is null and t.user_id not in (${activeOwners})`,
};
