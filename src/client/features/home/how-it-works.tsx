import classes from "./how-it-works.module.css";

const steps = [
  {
    title: "Choose a farm",
    text: "Read who runs it, what the money buys, what happens at harvest and what can go wrong.",
  },
  {
    title: "Pay by bank transfer",
    text: "Send the amount and upload your receipt. We review it within one working day and email you.",
  },
  {
    title: "Follow it every week",
    text: "Weekly reports, photos, videos and a live stream show you how your farm is doing.",
  },
  {
    title: "Share the harvest",
    text: "Take your share of the produce, or have it sold for you, less a platform fee.",
  },
];

export function HowItWorks() {
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <li key={step.title} className={classes.step}>
          <span className={classes.number} aria-hidden="true">
            {index + 1}
          </span>
          <h3 className={classes.title}>{step.title}</h3>
          <p className={classes.text}>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
