import { useRouter } from "@tanstack/react-router";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { keepSite, useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import type { KnownSettingKey } from "#shared/settings/texts.ts";
import { settingTexts as texts } from "#shared/settings/texts.ts";

export type Setting = RouterOutputs["settings"]["list"][number];

export const readSetting = (settings: readonly Setting[], key: KnownSettingKey): string =>
  settings.find((setting) => setting.key === key)?.value ?? "";

/** A fault of the value or the password stands at its field; whatever else failed is said in a toast. */
export function showFailure(title: string, error: unknown): void {
  const reason = errorReason(error);
  if (reason !== "invalid" && reason !== "rate_limited")
    toast.error(title, reason === "internal" ? texts.unexpected : errorText(error));
}

/** Saves settings that the code knows. Whatever came of it, the table looks again, and so does what follows them. */
export function useSaveSettings() {
  const utils = trpc.useUtils();
  const router = useRouter();
  const site = useSite();
  return trpc.settings.save.useMutation({
    onSuccess: (_saved, { values: { supportemail } }) => {
      if (supportemail !== undefined) keepSite(router, { ...site, supportEmail: supportemail });
    },
    onError: (error) => showFailure(texts.updateFailed, error),
    onSettled: () => {
      void utils.auth.viewer.invalidate();
      // The bank details are those of the active account.
      void utils.bank.invalidate();
      // The support address is part of the profile.
      void utils.site.profile.invalidate();
      return utils.settings.list.invalidate();
    },
  });
}
