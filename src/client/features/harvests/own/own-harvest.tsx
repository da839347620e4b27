import { IconFileText } from "@tabler/icons-react";
import { useId } from "react";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { StatusBadge, type StatusTone } from "#client/ui/feedback/status-badge.tsx";
import card from "#client/ui/layout/card.module.css";
import { PhotoGrid } from "#client/ui/media/photo-grid.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import { OwnChoice } from "./own-choice.tsx";
import {
  choiceText,
  harvestName,
  isWaitingForSale,
  type OwnHarvest,
  type OwnPart,
  type Standing,
  standingOf,
} from "./own-harvest-words.ts";
import classes from "./own-harvests.module.css";
import { OwnProduce } from "./own-produce.tsx";
import { OwnSettlements } from "./own-settlements.tsx";

const badges: Record<Standing, [StatusTone, string]> = {
  choose: ["caution", "Please choose"],
  chosen: ["positive", "Chosen"],
  closing: ["waiting", "Choosing is over"],
  collect: ["caution", "Ready to collect"],
  selling: ["waiting", "Being sold"],
  settled: ["positive", "Settled"],
  done: ["neutral", "Done"],
  lost: ["negative", "Lost"],
  withdrawn: ["neutral", "Withdrawn"],
};

/** One harvest: what came of the plan, the reader's part, and what becomes of it. */
export function OwnHarvestView({ harvest, onChosen }: { harvest: OwnHarvest; onChosen: () => void }) {
  const id = useId();
  const standing = standingOf(harvest);
  // Of a part that is all taken nothing is being sold.
  const [tone, label] =
    standing === "selling" && harvest.mine?.sold === 0n && !harvest.mine.uncollectedAt
      ? (["neutral", "Shared out"] as const)
      : badges[standing];
  return (
    <article className={classes.harvest} aria-labelledby={id}>
      <header className={card.sectionHead}>
        <h3 id={id} className={classes.title}>
          {harvestName(harvest)}
        </h3>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </header>
      {standing === "withdrawn" ? (
        <p>This harvest was entered by mistake and withdrawn. There is nothing to choose.</p>
      ) : standing === "lost" ? (
        <Lost harvest={harvest} />
      ) : (
        <Harvested harvest={harvest} standing={standing} onChosen={onChosen} />
      )}
      <HarvestFiles harvest={harvest} />
    </article>
  );
}

type HarvestedProps = { harvest: OwnHarvest; standing: Standing; onChosen: () => void };

function Harvested({ harvest, standing, onChosen }: HarvestedProps) {
  const { mine, note, choosesUntil, isInsurance } = harvest;
  const isOpen = standing === "choose" || standing === "chosen";
  return (
    <>
      {isInsurance && <p>An insurer paid for this round. The sum is shared by what each backer paid, without a fee.</p>}
      {mine && !isOpen && <OwnProduce harvest={harvest} mine={mine} />}
      {mine && <OwnQuantity harvest={harvest} mine={mine} isFixed={!isOpen && standing !== "closing"} />}
      {mine && isOpen && choosesUntil && (
        <OwnChoice harvest={harvest} mine={mine} until={choosesUntil} onSaved={onChosen} />
      )}
      {mine && standing === "closing" && choosesUntil && (
        <Notice tone="waiting" title={`Choosing ended on ${formatDateTime(choosesUntil)}`}>
          <p>{choiceText(mine, harvest.unit)} It is fixed in a moment, and we tell you what comes next.</p>
        </Notice>
      )}
      {mine && mine.struckKobo > 0n && (
        <Notice tone="negative" title={ownStrikeTexts.label}>
          <p>
            {mine.struckKobo < mine.weightKobo
              ? ownStrikeTexts.ofPartLeft(mine.weightKobo - mine.struckKobo, mine.weightKobo)
              : ownStrikeTexts.ofPart}
          </p>
        </Notice>
      )}
      {isWaitingForSale(harvest) && (
        <p>What you had sold is paid to you once the buyers' money has arrived and was divided. We email you then.</p>
      )}
      <OwnSettlements harvest={harvest} />
      {harvest.restLostReason && (
        <Notice tone="negative" title="The rest of this harvest is lost">
          <p>{harvest.restLostReason}</p>
        </Notice>
      )}
      {isInsurance ? (
        note && <p className={classes.note}>{note}</p>
      ) : (
        <div className={classes.whole}>
          <h4 className={classes.small}>The whole harvest</h4>
          <PlanAndActual harvest={harvest} />
          {note && <p className={classes.note}>The farm says: {note}</p>}
        </div>
      )}
    </>
  );
}

/** Two bars over one scale, with the figures as text. */
function PlanAndActual({ harvest }: { harvest: OwnHarvest }) {
  const { planned, lostQuantity, unit } = harvest;
  const quantity = harvest.quantity ?? 0n;
  const most = planned !== null && planned > quantity ? planned : quantity;
  const percentOf = (part: bigint, whole: bigint) => (whole === 0n ? 0 : Number((part * 1000n) / whole) / 10);
  const ofPlan = planned === null ? null : percentOf(quantity, planned);
  const remarks = [
    ofPlan !== null && `${ofPlan}% of the plan.`,
    lostQuantity > 0n && `${formatQuantity(lostQuantity, unit)} more were lost before they could be shared.`,
  ].filter((remark) => remark !== false);
  return (
    <dl className={classes.bars}>
      {planned !== null && (
        <div>
          <dt>Planned</dt>
          <dd>{formatQuantity(planned, unit)}</dd>
          <dd className={classes.track} aria-hidden="true">
            <span data-plan style={{ width: `${percentOf(planned, most)}%` }} />
          </dd>
        </div>
      )}
      <div>
        <dt>Harvested</dt>
        <dd>
          <strong>{formatQuantity(quantity, unit)}</strong>
        </dd>
        {planned !== null && (
          <dd className={classes.track} aria-hidden="true">
            <span style={{ width: `${percentOf(quantity, most)}%` }} />
          </dd>
        )}
        {remarks.map((remark) => (
          <dd key={remark} className={classes.remark}>
            {remark}
          </dd>
        ))}
      </div>
    </dl>
  );
}

function OwnQuantity({ harvest, mine, isFixed }: { harvest: OwnHarvest; mine: OwnPart; isFixed: boolean }) {
  const { unit } = harvest;
  const { quantity, taken, given, sold } = mine;
  const parts = [
    ["You take", taken],
    ["You give away", given],
    ["Sold for you", sold],
  ] as const;
  return (
    <dl className={classes.mine}>
      <div>
        <dt>Your share</dt>
        <dd>{formatQuantity(quantity, unit)}</dd>
      </div>
      {isFixed &&
        parts
          .filter(([, part]) => part > 0n)
          .map(([name, part]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatQuantity(part, unit)}</dd>
            </div>
          ))}
    </dl>
  );
}

function Lost({ harvest }: { harvest: OwnHarvest }) {
  const { note, insurance } = harvest;
  return (
    <Notice tone="negative" title="This harvest is lost: there is nothing to share.">
      <p>What happened: {note}</p>
      <p>
        {insurance
          ? `It was insured with ${insurance.insurer}, policy ${insurance.policy}. ${insurance.covers}`
          : "It was not insured."}
      </p>
    </Notice>
  );
}

const isPicture = ({ contentType }: OwnHarvest["files"][number]) => contentType.startsWith("image/");

/** Photos and documents that the farm gave, for nobody but those with a part. */
function HarvestFiles({ harvest }: { harvest: OwnHarvest }) {
  const { files, state } = harvest;
  const photos = files.filter(isPicture);
  const documents = files.filter((file) => !isPicture(file));
  const of = state === "lost" ? "the loss" : "the harvest";
  if (files.length === 0) return null;
  const heading = state === "lost" ? "Evidence" : "Photos and documents";
  return (
    <section aria-label={heading}>
      <h4 className={classes.small}>{heading}</h4>
      <PhotoGrid title={harvestName(harvest)} of={of} photos={photos} />
      {documents.map(({ id, url, name }) => (
        <p key={id}>
          <a className={classes.document} href={url} target="_blank" rel="noopener">
            <IconFileText size={20} aria-hidden="true" />
            {name}
          </a>
        </p>
      ))}
    </section>
  );
}
