import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { Card } from "#client/ui/layout/card.tsx";
import {
  autoPublishKey,
  holdHoursKey,
  isNairaSetting,
  maxLotsKey,
  maxTransferKey,
  messageDaysKey,
  type NumberSettingKey,
  numberUnits,
  offerHoursKey,
  platformFeeKey,
  refundDaysKey,
  reviewDaysKey,
  secondPersonKey,
} from "#shared/settings/texts.ts";
import classes from "./settings.module.css";
import { AskedChanges, type StoredNumbers, useNumbers } from "./use-numbers.tsx";

type Field = { key: NumberSettingKey; label: string; description: string };
type Group = { title: string; text: string; action: string; fields: readonly Field[] };

export const numberGroups: readonly Group[] = [
  {
    title: "Selling lots",
    text: "How long people have to pay for the lots they chose, and how many they may choose.",
    action: "Save selling",
    fields: [
      {
        key: holdHoursKey,
        label: "Lots are held for",
        description:
          "0 to 168 hours, 24 by default. With 0 nothing is held: whoever's payment is approved first has the lots.",
      },
      {
        key: offerHoursKey,
        label: "The next on the waiting list has",
        description: "1 to 168 hours, 12 by default. Hours from 22:00 to 07:00 in Lagos don't count.",
      },
      {
        key: maxLotsKey,
        label: "One person may buy at most",
        description: "1 to 1,000 lots of a round, 20 by default.",
      },
    ],
  },
  {
    title: "Messages",
    text: "How soon a backer who wrote about a project has an answer.",
    action: "Save messages",
    fields: [
      {
        key: messageDaysKey,
        label: "Messages are late after",
        description: "1 to 30 days, 2 by default. Then the list on the dashboard shows them as late.",
      },
    ],
  },
  {
    title: "Receipts",
    text: "How soon a backer who sent a receipt has an answer. The site's texts and mails say the same.",
    action: "Save receipts",
    fields: [
      {
        key: reviewDaysKey,
        label: "Receipts are reviewed within",
        description:
          "1 to 30 working days, 1 by default. Promises made before stay. Once one has passed, the backer reads that we are late, and owners are emailed every working day.",
      },
    ],
  },
  {
    title: "Reports",
    text: "How long a farm's report may wait for somebody to look at it.",
    action: "Save reports",
    fields: [
      {
        key: autoPublishKey,
        label: "A report is published by itself after",
        description:
          "0 to 168 hours, 24 by default, and only where nothing is found in its photos and figures. With 0 somebody publishes each.",
      },
    ],
  },
  {
    title: "Fees",
    text: "What the platform takes of a harvest's sales, and when one owner isn't enough.",
    action: "Save fees",
    fields: [
      {
        key: platformFeeKey,
        label: "Platform's fee",
        description:
          "0 to 30% of sales, 5% by default. For new projects: the terms of those that exist stay. Another owner confirms a change.",
      },
      {
        key: secondPersonKey,
        label: "A second owner confirms from",
        description:
          "₦1,000,000 by default: what one owner may approve in 30 days without the bank's statements showing it. Another owner confirms a higher limit. With only one owner it has no effect.",
      },
    ],
  },
  {
    title: "Money out",
    text: "How soon money that is due is paid out, and how much goes in one transfer.",
    action: "Save money out",
    fields: [
      {
        key: refundDaysKey,
        label: "Money that is due is paid within",
        description:
          "1 to 60 working days, 5 by default, counted from when we know where to send it. Promises made before stay.",
      },
      {
        key: maxTransferKey,
        label: "One transfer is at most",
        description:
          "₦5,000,000 by default. A larger sum is paid in parts, each with its own reference. Another owner confirms a higher limit.",
      },
    ],
  },
];

/** The sign of naira stands before its number, every other unit behind it. */
function sectionOf(key: NumberSettingKey) {
  const unit = <span className={classes.unit}>{numberUnits[key]}</span>;
  return isNairaSetting(key)
    ? { leftSection: unit, leftSectionWidth: "2rem" }
    : { rightSection: unit, rightSectionWidth: numberUnits[key].length > 5 ? "7.5rem" : "4rem" };
}

/** Numbers that belong together and are saved together. */
export function NumbersCard({ group, stored }: { group: Group; stored: StoredNumbers }) {
  const keys = group.fields.map(({ key }) => key);
  const { typedOf, faultOf, type, submit, isPending, dialog } = useNumbers(keys, stored);
  return (
    <Card title={group.title} text={group.text}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {group.fields.map(({ key, label, description }) => (
          <TextInput
            key={key}
            label={label}
            description={description}
            {...sectionOf(key)}
            inputMode={key === platformFeeKey ? "decimal" : "numeric"}
            autoComplete="off"
            value={typedOf(key)}
            error={faultOf(key)}
            onChange={({ currentTarget }) => type(key, currentTarget.value)}
          />
        ))}
        <AskedChanges keys={keys} />
        <Button className={classes.action} type="submit" loading={isPending}>
          {group.action}
        </Button>
      </form>
      {dialog}
    </Card>
  );
}
