import { Button } from "@mantine/core";
import { useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ProofForm } from "#client/shared-parts/own-proof.tsx";
import { type FailedQuery, LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Loading, SkeletonText } from "#client/ui/feedback/skeleton.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { twoFactorTexts } from "#shared/accounts/two-factor-texts.ts";
import { formatDate } from "#shared/dates.ts";
import classes from "./two-factor.module.css";
import { type BegunFactor, RecoveryCodes, TwoFactorSetup } from "./two-factor-setup.tsx";

type View =
  | { name: "overview" }
  | { name: "prove" }
  | { name: "setup"; begun: BegunFactor }
  | { name: "codes"; codes: string[] }
  | { name: "renew" }
  | { name: "off" };
const overview: View = { name: "overview" };

/** An administrator's second factor: set it up, keep recovery codes, switch it off. `onSetUp`: all of it is done. */
export function TwoFactorCard({ onSetUp }: { onSetUp?: () => void }) {
  const utils = trpc.useUtils();
  const account = trpc.users.account.useQuery(undefined, { staleTime: 0 });
  const status = trpc.twoFactor.status.useQuery(undefined, { staleTime: 0 });
  const [view, setView] = useState<View>(overview);
  const [isNew, setIsNew] = useState(false);

  const showCodes = (codes: string[]) => setView({ name: "codes", codes });
  const refresh = async () => {
    await Promise.all([utils.twoFactor.status.invalidate(), utils.users.account.invalidate()]);
    // Rights may depend on it: asked for anew, before a guard looks.
    await utils.auth.viewer.fetch(undefined, { staleTime: 0 });
  };
  const start = trpc.twoFactor.start.useMutation({ onSuccess: (begun) => setView({ name: "setup", begun }) });
  const renew = trpc.twoFactor.renewRecoveryCodes.useMutation({
    onSuccess: ({ codes }) => {
      showCodes(codes);
      void refresh();
    },
  });
  const switchOff = trpc.twoFactor.switchOff.useMutation({
    onSuccess: async () => {
      await refresh();
      setView(overview);
      toast.success("Two-factor sign-in is off");
    },
  });
  const leave = () => setView(overview);
  // The server asks again: until it has said what for, the most that it may be is shown.
  const proof = account.data ?? { hasPassword: true, isCodeAsked: status.data?.enabledAt != null };

  return (
    <SectionCard title="Two-factor sign-in">
      <div className={classes.body}>
        {view.name === "overview" && (
          <Overview
            status={status}
            onSetUp={() => setView({ name: "prove" })}
            onRenew={() => setView({ name: "renew" })}
            onSwitchOff={() => setView({ name: "off" })}
          />
        )}
        {view.name === "prove" && (
          <ProofForm account={proof} submitLabel="Continue" onSubmit={start.mutateAsync} onCancel={leave}>
            <p className={classes.text}>First show that it is you: whoever else sets this up would lock you out.</p>
          </ProofForm>
        )}
        {view.name === "setup" && (
          <TwoFactorSetup
            begun={view.begun}
            onCancel={leave}
            onConfirmed={(codes) => {
              setIsNew(true);
              showCodes(codes);
              void refresh();
            }}
          />
        )}
        {view.name === "codes" && (
          <RecoveryCodes
            codes={view.codes}
            onKept={() => {
              leave();
              if (isNew) toast.success("Two-factor sign-in is on");
              if (isNew) onSetUp?.();
              setIsNew(false);
            }}
          />
        )}
        {view.name === "renew" && (
          <ProofForm account={proof} submitLabel="Make new codes" onSubmit={renew.mutateAsync} onCancel={leave}>
            <p className={classes.text}>New recovery codes replace the ones you have, which stop working at once.</p>
          </ProofForm>
        )}
        {view.name === "off" && (
          <ProofForm
            account={proof}
            submitLabel="Switch off"
            isDangerous
            onSubmit={switchOff.mutateAsync}
            onCancel={leave}
          >
            <p className={classes.text}>
              Your password alone will then open the admin area. You will be signed out on your other devices.
            </p>
          </ProofForm>
        )}
      </div>
    </SectionCard>
  );
}

type OverviewProps = {
  status: FailedQuery & { data: RouterOutputs["twoFactor"]["status"] | undefined };
  onSetUp: () => void;
  onRenew: () => void;
  onSwitchOff: () => void;
};

const FEW_CODES = 3;

function Overview({ status, onSetUp, onRenew, onSwitchOff }: OverviewProps) {
  if (status.error) {
    return <LoadFailed query={status} title="This could not be loaded" />;
  }
  if (!status.data) {
    return (
      <Loading label="Loading two-factor sign-in">
        <SkeletonText lines={3} />
      </Loading>
    );
  }
  const { enabledAt, recoveryCodesLeft, isMandatory } = status.data;
  if (enabledAt === null) {
    return (
      <>
        {isMandatory && (
          <Notice tone="caution" title="Required for administrators">
            <p>Until it is set up, your account can't use the admin area.</p>
          </Notice>
        )}
        <p className={classes.text}>
          Besides your password, signing in then takes a code from an authenticator app on your phone. Whoever learns
          your password still can't get in.
        </p>
        <Button onClick={onSetUp}>Set up two-factor sign-in</Button>
      </>
    );
  }
  return (
    <>
      <Notice tone="positive" title={`On since ${formatDate(enabledAt)}`}>
        <p>Signing in takes your password and a code from your app.</p>
      </Notice>
      {recoveryCodesLeft <= FEW_CODES && (
        <Notice
          tone="caution"
          title={
            recoveryCodesLeft === 0
              ? "You have no recovery code left"
              : `You have only ${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? "code" : "codes"} left`
          }
        >
          <p>Make new ones, or a lost phone locks you out.</p>
        </Notice>
      )}
      <p className={classes.text}>
        {recoveryCodesLeft} of 10 recovery codes left.
        {isMandatory && ` ${twoFactorTexts.mandatory}`}
      </p>
      <ButtonRow>
        <Button variant="default" onClick={onRenew}>
          Make new recovery codes
        </Button>
        {!isMandatory && (
          <Button variant="subtle" color="red" onClick={onSwitchOff}>
            Switch off
          </Button>
        )}
      </ButtonRow>
    </>
  );
}
