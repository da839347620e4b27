import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Switch, TextInput } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";
import { errorText, fieldErrors } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { readSessionTimeout, sessionTimeoutKey } from "#shared/accounts/sessions.ts";
import { formatDateTime } from "#shared/dates.ts";
import { readSettingValue } from "#shared/settings/inputs.ts";
import {
  bankDetailKeys,
  isSwitchedOn,
  payoutColumnsKey,
  requireSignInKey,
  requireTwoFactorKey,
  supportEmailKey,
  settingTexts as texts,
  vatKey,
  withholdingKey,
} from "#shared/settings/texts.ts";
import { BankDetailsCard } from "./bank-details-card.tsx";
import { HolidaysCard } from "./holidays-card.tsx";
import { NumbersCard, numberGroups } from "./numbers-card.tsx";
import { OwnAccountsCard } from "./own-accounts-card.tsx";
import { PayoutColumnsCard } from "./payout-columns-card.tsx";
import classes from "./settings.module.css";
import { SettingsTable } from "./settings-table.tsx";
import { TaxesCard } from "./taxes-card.tsx";
import { TwoFactorReach } from "./two-factor-reach.tsx";
import { readSetting, type Setting, useSaveSettings } from "./use-settings.ts";

/** The settings of the whole site: cards for those the product knows, then all of them as a table. */
export function GeneralSettings() {
  const query = trpc.settings.list.useQuery(undefined, { staleTime: 0 });
  const settings = query.data;
  if (!settings) {
    return query.isError ? (
      <LoadFailed query={query} title={texts.loadFailed} />
    ) : (
      <Loading label="Loading settings">
        <div className={classes.cards}>
          {["14rem", "14rem", "20rem", "20rem", "28rem", "28rem"].map((height, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move.
            <Skeleton key={index} height={height} radius="var(--mantine-radius-lg)" />
          ))}
        </div>
      </Loading>
    );
  }
  const bank = {
    [bankDetailKeys.bankName]: readSetting(settings, bankDetailKeys.bankName),
    [bankDetailKeys.accountName]: readSetting(settings, bankDetailKeys.accountName),
    [bankDetailKeys.accountNumber]: readSetting(settings, bankDetailKeys.accountNumber),
  };
  const taxes = {
    [vatKey]: readSetting(settings, vatKey),
    [withholdingKey]: readSetting(settings, withholdingKey),
  };
  return (
    <div className={classes.page}>
      <div className={classes.cards}>
        <SessionTimeoutCard stored={readSetting(settings, "sessiontimeout")} />
        <AccessCard settings={settings} />
        {/* Values that another owner has set meanwhile replace the form; what is typed here stays otherwise. */}
        <BankDetailsCard key={JSON.stringify(bank)} stored={bank} />
        <OwnAccountsCard />
        <SupportEmailCard
          key={readSetting(settings, supportEmailKey)}
          stored={readSetting(settings, supportEmailKey)}
        />
        {numberGroups.map((group) => {
          const stored = Object.fromEntries(group.fields.map(({ key }) => [key, readSetting(settings, key)]));
          return <NumbersCard key={group.title + JSON.stringify(stored)} group={group} stored={stored} />;
        })}
        <HolidaysCard />
        <TaxesCard key={`taxes ${JSON.stringify(taxes)}`} stored={taxes} />
        <PayoutColumnsCard
          key={`columns ${readSetting(settings, payoutColumnsKey)}`}
          stored={readSetting(settings, payoutColumnsKey)}
        />
      </div>
      <SettingsTable settings={settings} />
    </div>
  );
}

const switches = [
  {
    key: requireSignInKey,
    label: "Visitors must sign in to see a project",
    description: "When off, project pages are public.",
  },
  {
    key: requireTwoFactorKey,
    label: "Administrators must use two-factor sign-in",
    description: "When on, whoever has none yet sets it up before anything else, you too.",
  },
] as const;

/** Who gets in, and how. A switch is saved when it is moved; what stops administrators at once asks first. */
function AccessCard({ settings }: { settings: readonly Setting[] }) {
  const save = useSaveSettings();
  const [isAsking, setIsAsking] = useState(false);
  const set = (key: (typeof switches)[number]["key"], isOn: boolean) =>
    save.mutate(
      { values: { [key]: String(isOn) } },
      { onSuccess: () => toast.success(texts.updated), onSettled: () => setIsAsking(false) },
    );
  const moving = save.isPending ? save.variables.values : {};
  return (
    <Card title="Access" text="Each switch is saved as soon as you move it.">
      {switches.map(({ key, label, description }) => (
        <Switch
          key={key}
          size="md"
          label={label}
          description={description}
          checked={isSwitchedOn(moving[key] ?? readSetting(settings, key))}
          disabled={save.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (key === requireTwoFactorKey && checked) setIsAsking(true);
            else set(key, checked);
          }}
        />
      ))}
      <LazyConfirmDialog
        opened={isAsking}
        title="Require two-factor sign-in?"
        confirmLabel="Require it"
        isPending={save.isPending}
        onConfirm={() => set(requireTwoFactorKey, true)}
        onClose={() => setIsAsking(false)}
      >
        <TwoFactorReach />
      </LazyConfirmDialog>
    </Card>
  );
}

const EXPIRY_REFRESH_MS = 30_000;

/** After how many idle minutes administrators are signed out, and when that is for this one. */
function SessionTimeoutCard({ stored }: { stored: string }) {
  const [minutes, setMinutes] = useState(String(readSessionTimeout(stored)));
  const [fault, setFault] = useState<string | null>(null);
  const save = useSaveSettings();
  const refuse = (text: string) => {
    setFault(text);
    toast.error(texts.invalidTitle, text);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readSettingValue(sessionTimeoutKey, minutes);
    if ("fault" in read) return refuse(read.fault);
    setFault(null);
    save.mutate(
      { values: { [sessionTimeoutKey]: read.value } },
      {
        onSuccess: ({ wasAdded }) => {
          setMinutes(read.value);
          const unit = read.value === "1" ? "minute" : "minutes";
          const text = `Administrators are signed out after ${read.value} ${unit} without activity.`;
          toast.success(wasAdded ? texts.timeoutCreated : texts.timeoutUpdated, text);
        },
        onError: (error) => {
          if (error.data?.reason === "invalid") refuse(errorText(error));
        },
      },
    );
  };
  return (
    <Card title="Session timeout" text="Administrators are signed out after this time without activity.">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Timeout in minutes"
          description="Whole minutes, from 1 to 1440 (24 hours)"
          inputMode="numeric"
          autoComplete="off"
          value={minutes}
          error={fault}
          onChange={({ currentTarget }) => {
            setMinutes(currentTarget.value);
            setFault(null);
          }}
        />
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save timeout
        </Button>
      </form>
      <Expiry />
    </Card>
  );
}

/** Asked anew every 30 seconds, which doesn't count as activity. */
function Expiry() {
  const { data: viewer } = trpc.auth.viewer.useQuery(undefined, { refetchInterval: EXPIRY_REFRESH_MS });
  return (
    <p className={classes.expiry}>
      <IconClock size={18} aria-hidden="true" />
      <span>
        Your session expires: <strong>{viewer ? formatDateTime(viewer.expiresAt) : "…"}</strong>, later with every
        activity
      </span>
    </p>
  );
}

function SupportEmailCard({ stored }: { stored: string }) {
  const [email, setEmail] = useState(stored);
  const [fault, setFault] = useState<string | null>(null);
  const save = useSaveSettings();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readSettingValue(supportEmailKey, email);
    if ("fault" in read) return setFault(read.fault);
    setFault(null);
    save.mutate(
      { values: { [supportEmailKey]: read.value } },
      {
        onSuccess: () => toast.success(texts.updated, texts.supportUpdated),
        onError: (error) => {
          if (fieldErrors(error)[supportEmailKey]) setFault(errorText(error));
        },
      },
    );
  };
  return (
    <Card title="Support email" text="Contact messages and job applications are announced here.">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Support email"
          type="email"
          autoComplete="off"
          value={email}
          error={fault}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setFault(null);
          }}
        />
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save support email
        </Button>
      </form>
    </Card>
  );
}
