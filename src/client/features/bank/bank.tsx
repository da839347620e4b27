import { Button } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { formatCount, formatNumber } from "#client/lib/format.ts";
import { useCan } from "#client/lib/session/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ExportMenu } from "#client/shared-parts/export-menu.tsx";
import { lazyDialog, lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { EmptyState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { LinkButton } from "#client/ui/layout/link-button.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { formatsInWords } from "#shared/bank/import-texts.ts";
import { lineTabLabels } from "#shared/bank/line-tabs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { AccountFigures } from "./account-figures.tsx";
import classes from "./bank.module.css";
import { BankLines } from "./bank-lines.tsx";
import type { Account, BankSearch, Overview } from "./bank-search.ts";
import { firstTab } from "./bank-tabs.tsx";
import { ChargesStrip } from "./charges-strip.tsx";
import type { SurePayment } from "./confirm-sure-payments.tsx";

const BankImports = lazyPart(() => import("#client/features/bank/importing/bank-imports.tsx"));
const ConfirmSurePayments = lazyDialog(() => import("./confirm-sure-payments.tsx"));
const ImportDialog = lazyDialog(() => import("#client/features/bank/importing/import-dialog.tsx"));
const LineDrawer = lazyDialog(() => import("./line-drawer.tsx"));

/** Money in and out by the bank's statements, and what it is matched to. */
export function Bank({ search }: { search: BankSearch }) {
  const query = trpc.bank.overview.useQuery(undefined, { staleTime: 0 });
  const overview = query.data;
  if (!overview) {
    return (
      <>
        <PageHead title="Bank" />
        {query.isError ? (
          <LoadFailed query={query} title={bankTexts.overviewFailed} />
        ) : (
          <Loading label="Loading the bank's accounts">
            <div className={classes.waiting}>
              <Skeleton height="9rem" radius="var(--mantine-radius-lg)" />
              <Skeleton height="2.5rem" width="24rem" />
              <Skeleton height="20rem" radius="var(--mantine-radius-lg)" />
            </div>
          </Loading>
        )}
      </>
    );
  }
  const account = overview.accounts.find(({ id }) => id === search.account) ?? overview.accounts[0];
  return account ? <OfAccount account={account} overview={overview} search={search} /> : <NoAccount />;
}

function NoAccount() {
  const mayAdd = useCan("settings:manage");
  return (
    <>
      <PageHead title="Bank" />
      <EmptyState
        picture="/art/empty-payments.svg"
        title="No bank account yet"
        text={
          mayAdd
            ? "Add the account that backers transfer to. Its statements can be imported here then."
            : "An owner adds the account that backers transfer to, in the settings."
        }
        action={mayAdd && <LinkButton to="/admin/settings">Add a bank account</LinkButton>}
      />
    </>
  );
}

type OfAccountProps = { account: Account; overview: Overview; search: BankSearch };

function OfAccount({ account, overview, search }: OfAccountProps) {
  const navigate = useNavigate({ from: "/admin/bank" });
  const [isImporting, setIsImporting] = useState(false);
  const [wasImporting, setWasImporting] = useState(false);
  const openImport = () => {
    setWasImporting(true);
    setIsImporting(true);
  };
  const { data: sure = [] } = trpc.bank.listSurePayments.useQuery(undefined, {
    enabled: overview.canImport,
    staleTime: 0,
  });
  const mayApprove = useCan("payments:process");
  // As they were when they were first looked at.
  const [confirmed, setConfirmed] = useState<readonly SurePayment[] | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const askSure = sure.length > 0 && (
    <div className={classes.sure}>
      <p>
        <strong>{sure.length === 1 ? "1 payment is sure." : `${formatNumber(sure.length)} payments are sure.`}</strong>{" "}
        {mayApprove ? "Their whole amounts arrived." : "Their whole amounts arrived: an owner approves them."}
      </p>
      {mayApprove && (
        <Button
          onClick={() => {
            setIsImporting(false);
            setConfirmed(sure);
            setIsConfirming(true);
          }}
        >
          Confirm {formatCount(sure.length, "sure match", "sure matches")}
        </Button>
      )}
    </div>
  );
  const importButton: ReactNode = overview.canImport && (
    <Button leftSection={<IconFileUpload size={18} aria-hidden="true" />} onClick={openImport}>
      Import a statement
    </Button>
  );
  return (
    <>
      <PageHead
        title="Bank"
        text="What the bank says arrived and left, and what it is matched to."
        aside={
          <div className={classes.asides}>
            <BankExports account={account} search={search} />
            {account.openedOn && importButton}
          </div>
        }
      />
      <AccountFigures
        accounts={overview.accounts}
        shown={account}
        inTransitKobo={overview.inTransitKobo}
        search={search}
      />
      {askSure}
      {account.openedOn && overview.canImport && <ChargesStrip key={account.id} account={account} />}
      {account.openedOn ? (
        search.view === "imports" ? (
          <Suspense>
            <BankImports key={account.id} account={account} search={search} />
          </Suspense>
        ) : (
          <BankLines account={account} search={search} />
        )
      ) : (
        <EmptyState
          picture="/art/empty-payments.svg"
          title="No statement yet"
          text={
            overview.canImport
              ? `Download the account's statement from your bank as ${formatsInWords}, and import it here. From its first day on the ledger follows the bank.`
              : "As soon as somebody has imported the bank's first statement, its lines appear here."
          }
          action={importButton}
        />
      )}
      <Suspense>
        {wasImporting && (
          <ImportDialog
            opened={isImporting}
            accounts={overview.accounts}
            account={account}
            isLocalUse={overview.isLocalUse}
            next={askSure}
            onClose={() => setIsImporting(false)}
          />
        )}
        {confirmed && (
          <ConfirmSurePayments opened={isConfirming} payments={confirmed} onClose={() => setIsConfirming(false)} />
        )}
        <LineDrawer
          lineId={search.line}
          accounts={overview.accounts}
          onClose={() =>
            void navigate({ search: (shown) => ({ ...shown, line: undefined }), resetScroll: false, replace: true })
          }
        />
      </Suspense>
    </>
  );
}

/** The lines that are looked at, and all of the books. Before the first statement there is the ledger only. */
function BankExports({ account, search: { tab = firstTab(account), q } }: { account: Account; search: BankSearch }) {
  const accountId = account.id;
  return (
    <ExportMenu
      tables={[
        ...(account.openedOn
          ? [
              {
                name: "bank-lines",
                label: q ? "Lines found" : `Lines "${lineTabLabels[tab]}"`,
                filter: { accountId, tab, search: q },
              } as const,
              { name: "bank-lines", label: "All lines", filter: { accountId } } as const,
              { name: "line-matches", label: "Matches", filter: { accountId } } as const,
            ]
          : []),
        { name: "ledger", label: "Ledger" },
      ]}
    />
  );
}
