import type { ReactNode } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { formatDateTime } from "#shared/dates.ts";
import { profileTexts as texts } from "#shared/site/profile-texts.ts";
import { SectionSkeleton } from "./section-skeleton.tsx";

export type Profile = RouterOutputs["site"]["profile"];

/** Loads the profile for a section that changes it. */
export function ProfileSection({ children }: { children: (profile: Profile) => ReactNode }) {
  const query = trpc.site.profile.useQuery(undefined, { staleTime: 0 });
  if (query.data) return children(query.data);
  if (!query.isError) return <SectionSkeleton />;
  return <LoadFailed query={query} title={texts.loadFailed} />;
}

/** "Version 3, saved on 28 Nov 2026, 10:05 WAT by Amaka Obi." */
export const writtenText = ({ written, profile }: Profile): string =>
  written
    ? `Version ${profile.version}, saved on ${formatDateTime(written.at)}${written.by ? ` by ${written.by}` : ""}.`
    : "Nobody has saved this yet.";
