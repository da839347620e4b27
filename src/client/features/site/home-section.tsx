import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import "#client/ui/mantine/fields.css";
import { Button, Switch } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type SubmitEvent, Suspense, useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { keepSite, useSite } from "#client/lib/site.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { Picture } from "#client/ui/media/picture.tsx";
import { formatDate } from "#shared/dates.ts";
import {
  careersKey,
  type HomeFiguresChoice,
  homeFiguresChoices,
  homeFiguresKey,
  settingTexts,
} from "#shared/settings/texts.ts";
import { decidedRoundsNeeded, homeTexts as texts } from "#shared/site/home-texts.ts";
import classes from "./home-section.module.css";
import { SectionSkeleton } from "./section-skeleton.tsx";

const AddTestimonial = lazyDialog(() => import("./add-testimonial.tsx"));

type HomeSettings = RouterOutputs["site"]["homeSettings"];

/** The home page: which figures it shows, what backers say there, and whether the site offers jobs. */
export default function HomeSection() {
  const query = trpc.site.homeSettings.useQuery(undefined, { staleTime: 0 });
  if (query.data) {
    return (
      <div className={classes.page}>
        {/* A choice that another owner has made meanwhile replaces this one. */}
        <FiguresCard key={query.data.choice} settings={query.data} />
        <TestimonialsCard testimonials={query.data.testimonials} />
        <CareersCard hasCareers={query.data.hasCareers} />
      </div>
    );
  }
  if (query.isError) {
    return <LoadFailed query={query} title={texts.loadFailed} />;
  }
  return <SectionSkeleton />;
}

/** Saves one setting of the section, and looks again. */
function useSave() {
  const utils = trpc.useUtils();
  return trpc.settings.save.useMutation({
    onSuccess: () => toast.success(settingTexts.updated),
    onError: (error) => toast.error(settingTexts.updateFailed, errorText(error)),
    onSettled: () => Promise.all([utils.site.invalidate(), utils.settings.list.invalidate()]),
  });
}

const choices: Record<HomeFiguresChoice, { label: string; text: string }> = {
  computed: {
    label: "Computed",
    text: `From approved payments and decided rounds, and only once ${decidedRoundsNeeded} rounds are decided.`,
  },
  none: { label: "None", text: "The home page has no figures." },
  claimed: {
    label: "Claimed",
    text: "Fixed figures that nobody computes. Show them only if you can prove them. Takes your password.",
  },
};

function FiguresCard({ settings }: { settings: HomeSettings }) {
  const [choice, setChoice] = useState(settings.choice);
  const save = useSave();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (choice === settings.choice) toast.info(settingTexts.nothingToSave);
    else save.mutate({ values: { [homeFiguresKey]: choice } });
  };
  return (
    <Card title="Figures" text="What the home page says about your backers, projects and money.">
      <form className={classes.form} onSubmit={submit}>
        <fieldset className={classes.choices}>
          <legend className="visually-hidden">Figures of the home page</legend>
          {homeFiguresChoices.map((each) => (
            <label key={each} className={classes.choice}>
              <input
                type="radio"
                name={homeFiguresKey}
                value={each}
                checked={each === choice}
                onChange={() => setChoice(each)}
              />
              <span>
                <strong>{choices[each].label}</strong>
                <span className={classes.dimmed}>{choices[each].text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Preview choice={choice} previews={settings.previews} />
        <Button className={classes.action} type="submit" loading={save.isPending}>
          Save figures
        </Button>
      </form>
    </Card>
  );
}

function Preview({ choice, previews }: Pick<HomeSettings, "previews"> & { choice: HomeFiguresChoice }) {
  const { figures, decided } = choice === "none" ? { figures: [], decided: null } : previews[choice];
  return (
    <section className={classes.preview} aria-label="What visitors see" aria-live="polite">
      <h3 className={classes.previewTitle}>What visitors see</h3>
      {figures.length === 0 ? (
        <p className={classes.dimmed}>
          No figures{decided === null ? "" : ` yet: ${decided} of ${decidedRoundsNeeded} rounds are decided`}.
        </p>
      ) : (
        <dl className={classes.figures}>
          {figures.map(({ figure, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function CareersCard({ hasCareers }: { hasCareers: boolean }) {
  const router = useRouter();
  const site = useSite();
  const save = useSave();
  const shown = save.isPending ? save.variables.values[careersKey] === "on" : hasCareers;
  return (
    <Card title="Jobs" text="The switch is saved as soon as you move it.">
      <Switch
        size="md"
        label="The site offers jobs"
        description="When off, there is no page Careers, no link to it, and nobody can apply."
        checked={shown}
        disabled={save.isPending}
        onChange={({ currentTarget: { checked } }) =>
          save.mutate(
            { values: { [careersKey]: checked ? "on" : "off" } },
            { onSuccess: () => keepSite(router, { ...site, hasCareers: checked }) },
          )
        }
      />
    </Card>
  );
}

function TestimonialsCard({ testimonials }: Pick<HomeSettings, "testimonials">) {
  const [isAdding, setIsAdding] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  return (
    <Card title="Testimonials" text="What backers say on the home page. Only what somebody said, and agreed to.">
      {testimonials.length === 0 && (
        <p className={classes.dimmed}>None yet. Until there is one, the home page leaves “Success stories” out.</p>
      )}
      <ul className={classes.list}>
        {testimonials.map((testimonial) => (
          <Testimonial key={testimonial.id} testimonial={testimonial} />
        ))}
      </ul>
      <Button
        className={classes.action}
        variant="default"
        onClick={() => {
          setWasAsked(true);
          setIsAdding(true);
        }}
      >
        Add a testimonial
      </Button>
      {wasAsked && (
        <Suspense>
          <AddTestimonial opened={isAdding} onClose={() => setIsAdding(false)} />
        </Suspense>
      )}
    </Card>
  );
}

function Testimonial({ testimonial }: { testimonial: HomeSettings["testimonials"][number] }) {
  const { id, name, backed, words, photo, agreement, hiddenAt, createdAt, writtenBy } = testimonial;
  const utils = trpc.useUtils();
  const hide = trpc.site.hideTestimonial.useMutation({
    onSuccess: (_done, { isHidden }) => toast.success(isHidden ? texts.hidden : texts.shown),
    onError: (error) => toast.error(texts.changeFailed, errorText(error)),
    onSettled: () => utils.site.invalidate(),
  });
  const isHidden = hiddenAt !== null;
  return (
    <li className={classes.testimonial}>
      {photo ? (
        <Picture className={classes.photo} src={photo} sizes="48px" alt="" width={48} height={48} />
      ) : (
        <span className={classes.photo} aria-hidden="true" />
      )}
      <div className={classes.words}>
        <p>
          <strong>{name}</strong>, {backed}
        </p>
        <blockquote>{words}</blockquote>
        <p className={classes.dimmed}>How they agreed: {agreement}</p>
        <p className={classes.dimmed}>
          Entered on {formatDate(createdAt)} by {writtenBy}
        </p>
        {hiddenAt && <StatusBadge tone="neutral">Hidden since {formatDate(hiddenAt)}</StatusBadge>}
      </div>
      <Button
        variant="default"
        size="sm"
        aria-label={isHidden ? `Show what ${name} says again` : `Hide what ${name} says`}
        loading={hide.isPending}
        onClick={() => hide.mutate({ testimonialId: id, isHidden: !isHidden })}
      >
        {isHidden ? "Show again" : "Hide"}
      </Button>
    </li>
  );
}
