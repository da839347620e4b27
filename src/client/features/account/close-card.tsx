import { Button } from "@mantine/core";
import { useState } from "react";
import type { ProofWanted } from "#client/ui/forms/own-proof.tsx";
import { SectionCard } from "#client/ui/layout/section-card.tsx";
import classes from "./account.module.css";
import { CloseForm } from "./close-form.tsx";

export function CloseCard({ account, isAdmin }: { account: ProofWanted; isAdmin: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <SectionCard title="Close account" text="Removes you from here for good. This can't be undone.">
      {isOpen ? (
        <CloseForm account={account} isAdmin={isAdmin} onCancel={() => setIsOpen(false)} />
      ) : (
        <Button className={classes.action} variant="outline" color="red" onClick={() => setIsOpen(true)}>
          Close my account
        </Button>
      )}
    </SectionCard>
  );
}
