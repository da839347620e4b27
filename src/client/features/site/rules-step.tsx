import { Button } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import {
  effectiveValue,
  holdHoursKey,
  type NumberSettingKey,
  platformFeeKey,
  refundDaysKey,
  reviewDaysKey,
  settingValueText,
} from "#shared/settings/texts.ts";
import { setupRules } from "#shared/site/setup-texts.ts";
import classes from "./set-up.module.css";

type Rules = RouterOutputs["setup"]["steps"]["rules"];

const storedOf = (rules: Rules, key: NumberSettingKey) => rules.find((rule) => rule.key === key)?.value;
const shownOf = (rules: Rules, key: NumberSettingKey) =>
  settingValueText(key, effectiveValue(key, storedOf(rules, key)));

/** Returns the current rules, in a sentence. */
export function rulesText(rules: Rules): string {
  const held = effectiveValue(holdHoursKey, storedOf(rules, holdHoursKey));
  const hold = held === "0" ? "no lots are held" : `lots held for ${shownOf(rules, holdHoursKey)}`;
  return `Fee ${shownOf(rules, platformFeeKey)}, ${hold}, money due paid within ${shownOf(rules, refundDaysKey)}, receipts reviewed within ${shownOf(rules, reviewDaysKey)}.`;
}

const labels: Record<(typeof setupRules)[number], string> = {
  [platformFeeKey]: "The platform's fee, of sales",
  [holdHoursKey]: "Lots are held for",
  [refundDaysKey]: "Money that is due is paid within",
  [reviewDaysKey]: "Receipts are reviewed within",
};

/** The rules that an operator decides on. They stand in the texts and in each farm's terms; one may keep them as they are. */
export function RulesStep({ rules, isDone }: { rules: Rules; isDone: boolean }) {
  const { setup, settings } = trpc.useUtils();
  const keep = trpc.settings.save.useMutation({
    onSuccess: () => toast.success("The rules are yours"),
    onError: (error) => toast.error("The rules were not kept", errorText(error)),
    onSettled: () => Promise.all([setup.steps.invalidate(), settings.list.invalidate()]),
  });
  const unset = setupRules.filter((key) => storedOf(rules, key) === undefined);
  const keepThem = () =>
    keep.mutate({
      values: Object.fromEntries(unset.map((key) => [key, effectiveValue(key, undefined)])),
      seen: Object.fromEntries(unset.map((key) => [key, ""])),
    });
  return (
    <Card title="What holds" text="Backers read these in the texts of the site and in the terms of each farm.">
      <dl className={classes.rules}>
        {setupRules.map((key) => (
          <div key={key}>
            <dt>{labels[key]}</dt>
            <dd>{shownOf(rules, key)}</dd>
          </div>
        ))}
      </dl>
      <ButtonRow>
        {!isDone && (
          <Button loading={keep.isPending} onClick={keepThem}>
            Keep them
          </Button>
        )}
        <LinkButton to="/admin/settings" variant="default">
          Change them
        </LinkButton>
      </ButtonRow>
    </Card>
  );
}
