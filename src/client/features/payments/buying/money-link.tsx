import { TextLink } from "#client/ui/layout/text-link.tsx";
import { ownMoneyTexts } from "#shared/payouts/payee-accounts-texts.ts";

/** To what becomes of money that is given back. */
export function MoneyLink() {
  return (
    <p>
      <TextLink to="/profile" search={{ tab: "money" }}>
        {ownMoneyTexts.seeMoney}
      </TextLink>
    </p>
  );
}
