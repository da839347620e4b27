import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { surplusTexts } from "#shared/payments/surplus-texts.ts";
import { AgreeFirst } from "./agree-first.tsx";
import { TermsForm } from "./agree-to-terms.tsx";
import { type PaymentPage, useRefreshPaymentPage } from "./use-payment-page.ts";

type UseSurplusProps = { page: PaymentPage; surplus: NonNullable<PaymentPage["surplus"]>; children: ReactNode };

/**
 * More came than an earlier payment's amount: after the tick of any purchase, one press pays for other lots with it.
 * The way to pay by a new transfer, `children`, is hidden meanwhile.
 */
export function UseSurplus({ page, surplus, children }: UseSurplusProps) {
  const { paymentId, lots, amountKobo, surplusKobo } = surplus;
  const site = useSite();
  const [isOpen, setIsOpen] = useState(false);
  const { refresh } = useRefreshPaymentPage(page.project.id);
  const use = trpc.bank.useSurplus.useMutation({
    onSuccess: () => toast.success(surplusTexts.used(site)),
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  });
  return (
    <>
      <Notice tone="waiting" title={surplusTexts.title(surplusKobo)}>
        <p>{surplusTexts.hint(lots, amountKobo)}</p>
        {!isOpen && (
          <ButtonRow>
            <Button variant="default" onClick={() => setIsOpen(true)}>
              {surplusTexts.open(lots)}
            </Button>
          </ButtonRow>
        )}
      </Notice>
      {!isOpen && children}
      {isOpen && (
        <AgreeFirst>
          <TermsForm
            page={page}
            lots={lots}
            label={surplusTexts.press(lots, amountKobo)}
            refusal={use.error ? errorText(use.error) : null}
            isPending={use.isPending}
            onAgree={() =>
              use.mutate({
                paymentId,
                lots,
                termsVersion: page.terms.version,
                siteTerms: page.siteTerms.sha256,
                hasReadTerms: true,
              })
            }
          />
          <ButtonRow>
            <Button variant="subtle" disabled={use.isPending} onClick={() => setIsOpen(false)}>
              {surplusTexts.rather}
            </Button>
          </ButtonRow>
        </AgreeFirst>
      )}
    </>
  );
}
