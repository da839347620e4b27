import { Button } from "@mantine/core";
import { IconMapPin } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import { type Position, positions } from "#shared/positions.ts";
import classes from "./openings.module.css";

type OpeningsProps = { chosen: Position; takesFocus: boolean; onChoose: (id: string) => void; onApply: () => void };

/** The open positions, one of them chosen and told in full: under its card on phones, beside the cards elsewhere. */
export function Openings({ chosen, takesFocus, onChoose, onApply }: OpeningsProps) {
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
