import classes from "./testimonials.module.css";

/** Fixed copy (specification, section 1): three voices with first names. */
const testimonials = [
  {
    name: "Amaka",
    backed: "Backed a catfish farm",
    picture: "/art/person-1.svg",
    words: "Every Friday there was a report, also in the week when the pump broke. I always knew where my money was.",
  },
  {
    name: "Tunde",
    backed: "Backed snail pens",
    picture: "/art/person-2.svg",
    words: "I took half of my share home and had the rest sold. My children still talk about the snails.",
  },
  {
    name: "Zainab",
    backed: "Backed a vegetable garden",
    picture: "/art/person-3.svg",
    words: "I sent the transfer in the morning and uploaded the receipt. The confirmation came the same afternoon.",
  },
];

export function Testimonials() {
  return (
    <ul className={classes.list}>
      {testimonials.map(({ name, backed, picture, words }) => (
        <li key={name}>
          <figure className={classes.card}>
            <blockquote className={classes.words}>{words}</blockquote>
            <figcaption className={classes.person}>
              <img src={picture} alt="" width={48} height={48} loading="lazy" />
              <span>
                <strong>{name}</strong>
                <span className={classes.backed}>{backed}</span>
              </span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
