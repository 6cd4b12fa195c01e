import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import styles from './controls.module.css'

interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  /** Reason why the value does not fit. */
  readonly wrong?: string | undefined
}

type InputProps = FieldProps & InputHTMLAttributes<HTMLInputElement>
type SelectProps = FieldProps & SelectHTMLAttributes<HTMLSelectElement>
type TextProps = FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>

export function InputField({ label, help, wrong, ...rest }: InputProps) {
  const { id, described, labelled } = useParts({ label, help, wrong })
  return labelled(
    <input
      {...rest}
      id={id}
      className={styles.input}
      aria-invalid={wrong !== undefined}
      aria-describedby={described}
    />,
  )
}

export function TextField({ label, help, wrong, ...rest }: TextProps) {
  const { id, described, labelled } = useParts({ label, help, wrong })
  return labelled(
    <textarea
      {...rest}
      id={id}
      className={styles.input}
      aria-invalid={wrong !== undefined}
      aria-describedby={described}
    />,
  )
}

/** @public */
export function SelectField({ label, help, wrong, children, ...rest }: SelectProps) {
  const { id, described, labelled } = useParts({ label, help, wrong })
  return labelled(
    <select {...rest} id={id} className={styles.input} aria-invalid={wrong !== undefined} aria-describedby={described}>
      {children}
    </select>,
  )
}

interface CheckProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: ReactNode
  readonly help?: string | undefined
}

export function CheckField({ label, help, ...rest }: CheckProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.check}>
        <input type="checkbox" {...rest} aria-describedby={help === undefined ? undefined : id} />
        <span>{label}</span>
      </label>
      {help === undefined ? null : (
        <p id={id} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

function useParts({ label, help, wrong }: FieldProps) {
  const id = useId()
  const described = [help === undefined ? '' : `${id}-help`, wrong === undefined ? '' : `${id}-wrong`].join(' ').trim()
  const labelled = (control: React.ReactNode) => (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {control}
      {wrong === undefined ? null : (
        <p id={`${id}-wrong`} className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      {help === undefined ? null : (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
  return { id, described: described === '' ? undefined : described, labelled }
}
