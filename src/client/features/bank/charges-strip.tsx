import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import classes from "./bank.module.css";
import type { Account } from "./bank-search.ts";
import type { Charges } from "./match-charges.tsx";

const MatchCharges = lazyDialog(() => import("./match-charges.tsx"));

/**
 * The bank charges of an account that wait, and the way to match them at once. Only the way to their texts where none
 * wait.
 */
export function ChargesStrip({ account }: { account: Account }) {
  const { data } = trpc.bank.charges.useQuery({ accountId: account.id }, { staleTime: 0 });
  const [shown, setShown] = useState<Charges | null>(null);
  if (!data) return null;
  const count = data.lines.length;
  const open = () => setShown(data);
  return (
    <>
      {count > 0 ? (
        <div className={classes.sure}>
          <p>
            <strong>
              {count === 1
                ? "1 line looks like a bank charge."
                : `${formatNumber(count)} lines look like bank charges.`}
            </strong>{" "}
            They have a text that this account's bank writes of them.
          </p>
          <Button variant="default" onClick={open}>
            Match {formatCount(count, "bank charge")}
          </Button>
        </div>
      ) : (
        <Button className={classes.chargeTexts} variant="subtle" size="compact-sm" onClick={open}>
          Texts of bank charges
        </Button>
      )}
      {shown && (
        <Suspense>
          <MatchCharges accountId={account.id} charges={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
