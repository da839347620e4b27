import { readWords } from "#client/lib/addresses.ts";

export const settingsTabs = ["general", "site", "admins", "users", "roles", "audit"] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The search parameters of /admin/settings besides the audit filters; defaults are left out. */
export type SettingsSearch = { tab?: SettingsTab | undefined; search?: string | undefined };

/** Reads an address that anybody may have typed: what isn't known is dropped. */
export function readSettingsSearch(input: Record<string, unknown>): SettingsSearch {
  return {
    tab: settingsTabs.find((tab) => tab === input.tab && tab !== "general"),
    search: readWords(input.search),
  };
}
