import { lazy, Suspense, useState } from "react";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { positions } from "#shared/positions.ts";
import { Hero } from "./hero.tsx";
import { Openings } from "./openings.tsx";

const ApplicationForm = lazy(() => import("./application-form.tsx"));

type CareersTab = "openings" | "apply";

type CareersPageProps = {
  tab: CareersTab;
  /** As the address names it; the first one for anything else. */
  positionId: string | undefined;
  onTab: (tab: CareersTab) => void;
  onPosition: (id: string) => void;
};

/** The hero, the openings, and the application for the chosen one. */
export function CareersPage({ tab, positionId, onTab, onPosition }: CareersPageProps) {
  const position = positions.find(({ id }) => id === positionId) ?? positions[0];
  // Here, where it outlives a look at the other tab.
  const [resume, setResume] = useState<File | null>(null);
  // A button that leads to the other tab is gone there: the keyboard goes to what it led to.
  const [isLed, setIsLed] = useState(false);
  const lead = (next: CareersTab) => {
    setIsLed(true);
    onTab(next);
  };
  return (
    <>
      <Hero />
      <TabBar
        label="Careers"
        value={tab}
        onChange={(next) => {
          setIsLed(false);
          onTab(next);
        }}
        tabs={[
          {
            id: "openings",
            label: "Current Openings",
            panel: () => (
              <Openings chosen={position} takesFocus={isLed} onChoose={onPosition} onApply={() => lead("apply")} />
            ),
          },
          {
            id: "apply",
            label: "Apply Now",
            panel: () => (
              <Suspense fallback={<FormSkeleton />}>
                <ApplicationForm
                  key={position.id}
                  position={position}
                  resume={resume}
                  onResume={setResume}
                  takesFocus={isLed}
                  onOtherPosition={() => lead("openings")}
                />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
}

function FormSkeleton() {
  return (
    <Loading label="Loading the form">
      <Skeleton height="40rem" radius="var(--mantine-radius-lg)" />
    </Loading>
  );
}
