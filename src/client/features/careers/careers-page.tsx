import { Button } from "@mantine/core";
import { IconMapPin } from "@tabler/icons-react";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { useSite } from "#client/lib/site.ts";
import { lazyPart } from "#client/ui/feedback/lazy-part.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { TabBar } from "#client/ui/layout/tab-bar.tsx";
import { type Position, positions } from "#shared/careers/positions.ts";
import classes from "./careers.module.css";

const ApplicationForm = lazyPart(() => import("./application-form.tsx"));

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

function Hero() {
  const site = useSite();
  return (
    <header className={classes.hero}>
      <div className={classes.heroWords}>
        <h1 className={classes.heroTitle}>Careers at {site.name}</h1>
        <p className={classes.text}>
          Work where the food grows. The people on our farms look after what others put their savings into, and every
          week they tell them how it goes.
        </p>
      </div>
      <img
        className={classes.art}
        src="/art/careers.svg"
        alt="A wheelbarrow of seedlings with a straw hat and a watering can, before fields at sunrise"
        width={960}
        height={600}
        fetchPriority="high"
      />
    </header>
  );
}

type OpeningsProps = { chosen: Position; takesFocus: boolean; onChoose: (id: string) => void; onApply: () => void };

/** The open positions, one of them chosen and told in full: under its card on phones, beside the cards elsewhere. */
function Openings({ chosen, takesFocus, onChoose, onApply }: OpeningsProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (takesFocus) list.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, [takesFocus]);
  // On phones what stood open above folds away with the choice, and moves the rest: the chosen card comes to the top,
  // with its details under it. Beside the cards nothing moves.
  const shown = useRef(chosen.id);
  useEffect(() => {
    if (shown.current === chosen.id) return;
    shown.current = chosen.id;
    const card = list.current?.querySelector("input:checked")?.closest("label");
    if (card && !matchMedia("(min-width: 62em)").matches) card.scrollIntoView({ block: "start", behavior: "instant" });
  }, [chosen.id]);
  const name = useId();
  return (
    <section aria-labelledby={`${name}-title`}>
      <h2 className="visually-hidden" id={`${name}-title`}>
        Current Openings
      </h2>
      <fieldset ref={list} className={classes.list}>
        <legend className="visually-hidden">Position</legend>
        {positions.map((position) => (
          <div key={position.id} className={classes.item}>
            <label className={classes.card}>
              <input
                className={classes.radio}
                type="radio"
                name={name}
                value={position.id}
                checked={position.id === chosen.id}
                onChange={() => onChoose(position.id)}
              />
              <span className={classes.words}>
                <span className={classes.title}>{position.title}</span>
                <span className={classes.place}>
                  <IconMapPin size={16} stroke={1.75} aria-hidden="true" />
                  {position.location}
                </span>
                <span className={classes.salary}>
                  <span className="money">{position.salary}</span> monthly
                </span>
              </span>
            </label>
            {position.id === chosen.id && <Details position={position} onApply={onApply} />}
          </div>
        ))}
      </fieldset>
    </section>
  );
}

function Details({ position, onApply }: { position: Position; onApply: () => void }) {
  return (
    <article className={classes.details}>
      <h3 className={classes.heading}>{position.title}</h3>
      <p>{position.description}</p>
      <h4>Responsibilities</h4>
      <Points points={position.responsibilities} />
      <h4>Requirements</h4>
      <Points points={position.requirements} />
      <Button className={classes.apply} size="lg" onClick={onApply}>
        Apply for this position
      </Button>
    </article>
  );
}

function Points({ points }: { points: readonly string[] }) {
  return (
    <ul>
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}
