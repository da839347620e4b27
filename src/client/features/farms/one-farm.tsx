import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { LazyConfirmDialog } from "#client/ui/feedback/lazy-confirm-dialog.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { farmTexts, placeOf } from "#shared/farms/texts.ts";
import { readProjectId } from "#shared/projects/project-id.ts";
import { FarmForm } from "./farm-form.tsx";
import { FarmPeople } from "./farm-people.tsx";
import type { Farm } from "./farm-values.ts";
import classes from "./farms.module.css";

type OneFarmProps = {
  id: string;
  /** Where its money goes, which another feature shows to owners. */
  account: (farmId: number) => ReactNode;
  /** Its years before this site. */
  past: (farmId: number) => ReactNode;
};

/** /admin/farms/$id: its people, its projects, its account, and what is known of it. `id` is what the address says. */
export function OneFarm({ id, account, past }: OneFarmProps) {
  // A farm's id has the same form as a project's.
  const farmId = readProjectId(id);
  const query = trpc.farms.one.useQuery({ farmId: farmId ?? 0 }, { enabled: farmId !== null, staleTime: 0 });
  if (query.data) {
    const { data: farm } = query;
    return (
      <FarmScreen farm={farm} account={account(farm.id)} past={past(farm.id)} onReload={() => void query.refetch()} />
    );
  }
  if (farmId === null || (query.error && errorReason(query.error) === "not_found")) {
    return (
      <ErrorState level={1} title="Farm not found" action={<LinkButton to="/admin/farms">All farms</LinkButton>} />
    );
  }
  if (query.error) {
    return <LoadFailed query={query} level={1} title="The farm could not be loaded" />;
  }
  return (
    <Loading label="Loading the farm">
      <div className={classes.screen}>
        <Skeleton width="16rem" height="2.25rem" />
        <Skeleton height="12rem" radius="var(--mantine-radius-lg)" />
        <Skeleton height="24rem" radius="var(--mantine-radius-lg)" />
      </div>
    </Loading>
  );
}

type FarmScreenProps = { farm: Farm; account: ReactNode; past: ReactNode; onReload: () => void };

function FarmScreen({ farm, account, past, onReload }: FarmScreenProps) {
  return (
    <div className={classes.screen}>
      <div>
        <TextLink to="/admin/farms" className={classes.back}>
          All farms
        </TextLink>
        <PageHead title={farm.name} text={placeOf(farm)} aside={<OpenOrClosed farm={farm} />} />
      </div>
      <FarmPeople farm={farm} />
      <FarmProjects farm={farm} />
      {account}
      {past}
      <Details key={farm.updatedAt.getTime()} farm={farm} onReload={onReload} />
    </div>
  );
}

function OpenOrClosed({ farm }: { farm: Farm }) {
  const { id: farmId, name, closedAt } = farm;
  const [isAsking, setIsAsking] = useState(false);
  const utils = trpc.useUtils();
  const how = (done: string, failed: string) => ({
    onSuccess: () => {
      toast.success(done);
      setIsAsking(false);
    },
    onError: (error: unknown) => toast.error(failed, errorText(error)),
    onSettled: () => utils.farms.invalidate(),
  });
  const close = trpc.farms.close.useMutation(how("Farm closed", "The farm could not be closed"));
  const reopen = trpc.farms.reopen.useMutation(how("Farm reopened", "The farm could not be reopened"));
  if (closedAt) {
    return (
      <ButtonRow>
        <StatusBadge tone="closed">Closed</StatusBadge>
        <Button variant="default" size="sm" loading={reopen.isPending} onClick={() => reopen.mutate({ farmId })}>
          Reopen Farm
        </Button>
      </ButtonRow>
    );
  }
  const open = farm.projects.filter((project) => !project.isClosed).length;
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setIsAsking(true)}>
        Close Farm
      </Button>
      <LazyConfirmDialog
        opened={isAsking}
        title="Close Farm"
        confirmLabel="Close Farm"
        refusal={open > 0 ? farmTexts.hasOpenProject : null}
        isDangerous
        isPending={close.isPending}
        onConfirm={() => close.mutate({ farmId })}
        onClose={() => setIsAsking(false)}
      >
        {name} can't be chosen for projects any more, and its people can't report until it is opened again. Its projects
        and their money stay as they are.
      </LazyConfirmDialog>
    </>
  );
}

function FarmProjects({ farm }: { farm: Farm }) {
  return (
    <SectionCard title="Projects">
      {farm.projects.length === 0 ? (
        <p className={classes.none}>
          It runs no project yet. Choose it as “Run by” when you <TextLink to="/create-project">create one</TextLink>,
          or on a project's edit screen.
        </p>
      ) : (
        <ul className={classes.list}>
          {farm.projects.map(({ id, title, isClosed, round, outcome }) => (
            <li key={id}>
              <TextLink to="/admin/project/$id" params={{ id: String(id) }}>
                {title}
              </TextLink>
              <span className={classes.badges}>
                {round > 1 && <span className={classes.fine}>Round {round}</span>}
                {isClosed ? (
                  <StatusBadge tone={outcome === "funded" ? "positive" : "closed"}>
                    {outcome === "funded" ? "Funded" : "Closed"}
                  </StatusBadge>
                ) : (
                  <StatusBadge tone="positive">Open</StatusBadge>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function Details({ farm, onReload }: { farm: Farm; onReload: () => void }) {
  const utils = trpc.useUtils();
  const update = trpc.farms.update.useMutation({
    onSuccess: async () => {
      toast.success("Farm saved");
      // Its projects have its name.
      void utils.projects.invalidate();
      await utils.farms.invalidate();
    },
  });
  const isChanged = update.isError && errorReason(update.error) === "conflict";
  return (
    <SectionCard title="About the farm">
      <FarmForm
        farm={farm}
        submitLabel="Save Changes"
        failure="The farm could not be saved"
        isSaving={update.isPending}
        onSave={(input) => update.mutateAsync({ ...input, farmId: farm.id, seenUpdatedAt: farm.updatedAt })}
      >
        {isChanged && (
          <Notice tone="caution" title={farmTexts.changed} isAlert>
            <ButtonRow>
              <Button size="sm" variant="default" onClick={onReload}>
                Load it again
              </Button>
            </ButtonRow>
          </Notice>
        )}
      </FarmForm>
    </SectionCard>
  );
}
