import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { ButtonRow } from "#client/ui/button-row.tsx";
import { ErrorState } from "#client/ui/error-state.tsx";
import { Notice } from "#client/ui/notice.tsx";
import { SectionCard } from "#client/ui/section-card.tsx";
import { Loading, SkeletonText } from "#client/ui/skeleton.tsx";
import { formatDate } from "#shared/dates.ts";
import { twoFactorTexts } from "#shared/two-factor-texts.ts";
import { ProofForm } from "./proof-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import classes from "./two-factor.module.css";
import { TwoFactorSetup } from "./two-factor-setup.tsx";

type View =
  | { name: "overview" }
  | { name: "setup" }
  | { name: "codes"; codes: string[] }
  | { name: "renew" }
  | { name: "off" };
const overview: View = { name: "overview" };

/** An administrator's second factor: set it up, keep recovery codes, switch it off. `onSetUp`: all of it is done. */
export function TwoFactorCard({ onSetUp }: { onSetUp?: () => void }) {
  const utils = trpc.useUtils();
  const status = trpc.twoFactor.status.useQuery(undefined, { staleTime: 0 });
  const [view, setView] = useState<View>(overview);
  const [isNew, setIsNew] = useState(false);

  const showCodes = (codes: string[]) => setView({ name: "codes", codes });
  const refresh = async () => {
    await utils.twoFactor.status.invalidate();
    // Rights may depend on it: asked for anew, before a guard looks.
    await utils.auth.viewer.fetch(undefined, { staleTime: 0 });
  };
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
  const leave = () => {
    renew.reset();
    switchOff.reset();
    setView(overview);
  };

  return (
    <SectionCard title="Two-factor sign-in">
      <div className={classes.body}>
        {view.name === "overview" && (
          <Overview
            status={status}
            onSetUp={() => setView({ name: "setup" })}
            onRenew={() => setView({ name: "renew" })}
            onSwitchOff={() => setView({ name: "off" })}
          />
        )}
        {view.name === "setup" && (
          <TwoFactorSetup
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
          <ProofForm
            text="New recovery codes replace the ones you have, which stop working at once."
            submitLabel="Make new codes"
            error={renew.error}
            isPending={renew.isPending}
            onSubmit={(proof) => renew.mutate({ proof })}
            onCancel={leave}
          />
        )}
        {view.name === "off" && (
          <ProofForm
            text="Your password alone will then open the admin area. You will be signed out on your other devices."
            submitLabel="Switch off"
            isDangerous
            error={switchOff.error}
            isPending={switchOff.isPending}
            onSubmit={(proof) => switchOff.mutate({ proof })}
            onCancel={leave}
          />
        )}
      </div>
    </SectionCard>
  );
}

type OverviewProps = {
  status: { data: RouterOutputs["twoFactor"]["status"] | undefined; error: unknown; refetch: () => unknown };
  onSetUp: () => void;
  onRenew: () => void;
  onSwitchOff: () => void;
};

const FEW_CODES = 3;

function Overview({ status, onSetUp, onRenew, onSwitchOff }: OverviewProps) {
  if (status.error) {
    return (
      <ErrorState title="This could not be loaded" text={errorText(status.error)} onRetry={() => status.refetch()} />
    );
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
