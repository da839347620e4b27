import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "./account-card.module.css";
import { AccountCard } from "./account-card.tsx";
import { CloseForm } from "./close-form.tsx";

export function CloseCard({ hasPassword, isAdmin }: { hasPassword: boolean; isAdmin: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <AccountCard title="Close account" text="Removes you from here for good. This can't be undone.">
      {isOpen ? (
        <CloseForm hasPassword={hasPassword} isAdmin={isAdmin} onCancel={() => setIsOpen(false)} />
      ) : (
        <Button className={classes.action} variant="outline" color="red" onClick={() => setIsOpen(true)}>
          Close my account
        </Button>
      )}
    </AccountCard>
  );
}
