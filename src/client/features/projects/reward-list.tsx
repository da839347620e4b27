import { formatNumber } from "#client/lib/format.ts";
import { formatNaira } from "#shared/money.ts";
import type { Reward } from "#shared/project-texts.ts";
import classes from "./reward-list.module.css";

export function RewardList({ rewards }: { rewards: Reward[] }) {
  if (rewards.length === 0) return null;
  return (
    <section className={classes.rewards} aria-labelledby="rewards">
      <h2 id="rewards">Rewards</h2>
      <ul className={classes.list}>
        {rewards.map((reward) => (
          <li key={`${reward.title} ${reward.amountKobo}`} className={classes.reward}>
            <h3 className={classes.title}>{reward.title}</h3>
            <p className={classes.amount}>
              <span className="money">{formatNaira(BigInt(reward.amountKobo))}</span>
            </p>
            <p>{reward.description}</p>
            <p className={classes.quantity}>
              {reward.quantity === null ? "Unlimited" : `${formatNumber(reward.quantity)} available`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
