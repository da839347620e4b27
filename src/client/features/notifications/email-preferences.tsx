import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Switch } from "@mantine/core";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterInputs, trpc } from "#client/lib/trpc.ts";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { isAlwaysMailed, type NotificationKind } from "#shared/notifications/inputs.ts";
import { kindTexts } from "#shared/notifications/texts.ts";
import classes from "./email-preferences.module.css";

/** In the account settings: which emails come. Everything also stands in the app, whatever is chosen here. */
export function EmailPreferences() {
  const utils = trpc.useUtils();
  const query = trpc.notifications.mailPreferences.useQuery(undefined, { staleTime: 0 });
  const { data, error } = query;
  const show = (kind: NotificationKind, isMailed: boolean) =>
    utils.notifications.mailPreferences.setData(undefined, (shown) =>
      shown?.map((row) => (row.kind === kind ? { ...row, isMailed } : row)),
    );
  const change = trpc.notifications.setMailPreference.useMutation({
    // One after the other: the last choice is the one that stays.
    scope: { id: "mail-preferences" },
    onMutate: async ({ kind, isMailed }) => {
      await utils.notifications.mailPreferences.cancel();
      show(kind, isMailed);
    },
    onError: (failure, { kind, isMailed }) => {
      show(kind, !isMailed);
      toast.error("Your choice could not be saved", errorText(failure));
    },
  });

  return (
    <SectionCard id="emails" title="Emails" text="Each notification also comes by email. Choose which ones you want.">
      {data ? (
        <ul className={classes.list}>
          {data.map(({ kind, isAlways, isMailed }) => (
            <li key={kind}>
              {isAlways ? (
                <Always label={kindTexts[kind].label} text={kindTexts[kind].when} />
              ) : (
                <Switch
                  label={kindTexts[kind].label}
                  description={kindTexts[kind].when}
                  checked={isMailed}
                  onChange={({ currentTarget }) => {
                    if (!isAlwaysMailed(kind))
                      change.mutate({ kind: kind as Switchable, isMailed: currentTarget.checked });
                  }}
                />
              )}
            </li>
          ))}
          <li>
            <Always label="Account security" text="Your password, email, sign-ins or second factor change." />
          </li>
        </ul>
      ) : error ? (
        <LoadFailed query={query} title="Your choices could not be loaded" />
      ) : (
        <Loading label="Loading your choices">
          <SkeletonText lines={6} />
        </Loading>
      )}
    </SectionCard>
  );
}

type Switchable = RouterInputs["notifications"]["setMailPreference"]["kind"];

function Always({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.always}>
      <div>
        <p className={classes.label}>{label}</p>
        <p className={classes.when}>{text}</p>
      </div>
      <span className={classes.sign}>Always on</span>
    </div>
  );
}
