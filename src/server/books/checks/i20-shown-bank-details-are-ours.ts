import { sql } from "drizzle-orm";
import type { Invariant } from "#server/platform/findings.ts";

/**
 * The bank details that backers read are those of the active own account.
 *
 * Backers transfer to the details in the settings. A finding means that they may pay to an account that isn't the
 * platform's: look at once who changed it.
 */
export const shownBankDetailsAreOurs: Invariant = {
  name: "I20 the bank details that backers read are those of the active own account",
  query: () => sql`
    select 'bank detail that is not the active own account''s' as violation,
      jsonb_build_object('ownAccountId', a.id, 'key', s.key) as row
    from own_accounts a cross join lateral (values ('bankname', a.bank_name), ('bankaccountname', a.account_name),
        ('bankaccountnumber', a.account_number)) as detail (key, value)
      join settings s on s.key = detail.key
    where a.is_active and s.value <> detail.value`,
};
