import "#client/ui/mantine/fields.css";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { passwordLabel, passwordLimits, passwordRequirements, passwordScore } from "#shared/accounts/password.ts";
import classes from "./password-field.module.css";

/** A password that can be shown. Mantine's own doesn't say to readers that it is wrong. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      {...props}
    />
  );
}

const levelOf = (score: number) =>
  score < passwordLimits.minScore ? "weak" : score === passwordLimits.minScore ? "moderate" : "strong";

/** How strong a new password is, in a word, and what it still lacks. */
export function PasswordStrength({ password, id }: { password: string; id: string }) {
  const score = passwordScore(password);
  return (
    <div className={classes.meter} id={id}>
      <div className={classes.bars} data-level={levelOf(score)} aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <span key={step} className={classes.bar} data-on={step <= score || undefined} />
        ))}
      </div>
      <p className={classes.label} role="status">
        {password !== "" && (
          <>
            Password strength: <strong>{passwordLabel(score)}</strong>
          </>
        )}
      </p>
      <ul className={classes.list}>
        {passwordRequirements.map((requirement) => {
          const isMet = requirement.isMetBy(password);
          const Icon = isMet ? IconCircleCheckFilled : IconCircle;
          return (
            <li key={requirement.id} className={classes.requirement} data-met={isMet || undefined}>
              <Icon size={16} aria-hidden="true" />
              <span>
                {requirement.text}
                {isMet && <span className="visually-hidden"> (done)</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
