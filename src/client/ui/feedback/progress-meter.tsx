import classes from "./progress-meter.module.css";

type ProgressMeterProps = {
  /** 0 to 100. */
  percent: number;
  /** A name for what is measured: "Funding of Snail farm in Epe". */
  label: string;
  /** Read instead of the bare percent: "₦250,000 of ₦1,000,000 raised, 25%". */
  valueText?: string;
  size?: "sm" | "md";
};

/** How far a goal is reached. Figures stand beside it as text: the bar alone never carries a number. */
export function ProgressMeter({ percent, label, valueText, size = "md" }: ProgressMeterProps) {
  const value = Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div
      className={classes.track}
      data-size={size}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={valueText}
    >
      <div className={classes.bar} style={{ width: `${value}%` }} />
    </div>
  );
}
