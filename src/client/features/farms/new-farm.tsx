import { toast } from "#client/lib/toast.ts";
import { trpc } from "#client/lib/trpc.ts";
import { SectionCard } from "#client/ui/layout/card.tsx";
import { PageHead } from "#client/ui/layout/page-head.tsx";
import { FarmForm } from "./farm-form.tsx";
import classes from "./farms.module.css";

/** /admin/farms/new: once it is added, its page goes on with its people. */
export function NewFarm({ onAdded }: { onAdded: (farmId: number) => void }) {
  const utils = trpc.useUtils();
  const create = trpc.farms.create.useMutation({
    onSuccess: ({ id }) => {
      toast.success("Farm added", "Invite the people who report for it.");
      void utils.farms.invalidate();
      // After the form has learned that it is saved, so that it doesn't hold the person back.
      setTimeout(() => onAdded(id));
    },
  });
  return (
    <div className={classes.screen}>
      <PageHead title="Add a farm" text="It can be chosen for projects at once." />
      <SectionCard title="The farm">
        <FarmForm
          submitLabel="Add Farm"
          failure="The farm could not be added"
          onSave={(input) => create.mutateAsync(input)}
          isSaving={create.isPending || create.isSuccess}
        />
      </SectionCard>
    </div>
  );
}
