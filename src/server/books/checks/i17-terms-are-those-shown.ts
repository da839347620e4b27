import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The terms that a payer was shown are the terms of their round.
 *
 * A round is sold under one version of its harvest terms. A finding means that a payer agreed to something else than
 * their round gives.
 */
export const termsAreThoseShown: Invariant = {
  name: "I17 the terms that a payer was shown are the terms of their round",
  query: () => sql`
    select 'approved payment under other terms than its round' as violation, jsonb_build_object('paymentId', p.id,
      'projectId', p.project_id, 'termsVersion', p.terms_version, 'roundVersion', r.terms_version) as row
    from project_payments p join project_rounds r on r.project_id = p.project_id and r.round = p.round
    where p.status = 'approved' and p.terms_version <> r.terms_version
    union all
    select 'payment under other terms than its payer agreed to', jsonb_build_object('paymentId', p.id,
      'termsVersion', p.terms_version, 'agreedTo', f.terms_version)
    from project_payments p join payment_references f on f.reference = p.reference
    where p.project_id is not null and f.agreed_at = p.agreed_at and (f.round, f.terms_version) <> (p.round, p.terms_version)
    union all
    select 'terms of a round are not there', jsonb_build_object('projectId', r.project_id, 'round', r.round,
      'termsVersion', r.terms_version)
    from project_rounds r
    where not exists (
      select from round_terms t
      where t.project_id = r.project_id and t.round = r.round and t.version = r.terms_version)`,
};
