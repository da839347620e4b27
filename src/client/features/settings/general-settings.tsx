import { errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/error-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { settingTexts as texts } from "#shared/setting-texts.ts";
import { bankDetailKeys, supportEmailKey } from "#shared/settings.ts";
import { AccessCard } from "./access-card.tsx";
import { BankDetailsCard } from "./bank-details-card.tsx";
import { SessionTimeoutCard } from "./session-timeout-card.tsx";
import classes from "./settings.module.css";
import { SettingsTable } from "./settings-table.tsx";
import { SupportEmailCard } from "./support-email-card.tsx";
import { readSetting } from "./use-settings.ts";

/** What holds for the whole site: cards for what the product knows, then all of it as a table. */
export function GeneralSettings() {
  const query = trpc.settings.list.useQuery(undefined, { staleTime: 0 });
  const settings = query.data;
  if (!settings) {
    return query.isError ? (
      <ErrorState
        title={texts.loadFailed}
        text={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    ) : (
      <Loading label="Loading settings">
        <div className={classes.cards}>
          {["14rem", "14rem", "20rem", "20rem"].map((height, index) => (
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
  return (
    <div className={classes.page}>
      <div className={classes.cards}>
        <SessionTimeoutCard stored={readSetting(settings, "sessiontimeout")} />
        <AccessCard settings={settings} />
        {/* Values that another owner has set meanwhile replace the form; what is typed here stays otherwise. */}
        <BankDetailsCard key={JSON.stringify(bank)} stored={bank} />
        <SupportEmailCard
          key={readSetting(settings, supportEmailKey)}
          stored={readSetting(settings, supportEmailKey)}
        />
      </div>
      <SettingsTable settings={settings} />
    </div>
  );
}
