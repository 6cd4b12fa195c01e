import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

/** Classes of a field, for one that has no label above it. */
export const inputLook =
  'w-full min-h-control rounded-md border border-control-line bg-surface px-2.5 py-1 shadow-control aria-invalid:border-bad aria-invalid:ring-1 aria-invalid:ring-bad'
export const labelLook = 'font-medium'
export const helpLook = 'text-sm text-muted'
export const wrongLook = 'text-sm text-bad'
const FIELD = 'grid content-start gap-1'

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
    <input {...rest} id={id} className={inputLook} aria-invalid={wrong !== undefined} aria-describedby={described} />,
  )
}

export function TextField({ label, help, wrong, ...rest }: TextProps) {
  const { id, described, labelled } = useParts({ label, help, wrong })
  return labelled(
    <textarea
      {...rest}
      id={id}
      className={inputLook}
      aria-invalid={wrong !== undefined}
      aria-describedby={described}
    />,
  )
}

/** @public */
export function SelectField({ label, help, wrong, children, ...rest }: SelectProps) {
  const { id, described, labelled } = useParts({ label, help, wrong })
  return labelled(
    <select {...rest} id={id} className={inputLook} aria-invalid={wrong !== undefined} aria-describedby={described}>
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
    <div className={FIELD}>
      <label className="flex min-h-6 items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4.5 shrink-0"
          {...rest}
          aria-describedby={help === undefined ? undefined : id}
        />
        <span>{label}</span>
      </label>
      {help === undefined ? null : (
        <p id={id} className={helpLook}>
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
    <div className={FIELD}>
      <label htmlFor={id} className={labelLook}>
        {label}
      </label>
      {control}
      {wrong === undefined ? null : (
        <p id={`${id}-wrong`} className={wrongLook} role="alert">
          {wrong}
        </p>
      )}
      {help === undefined ? null : (
        <p id={`${id}-help`} className={helpLook}>
          {help}
        </p>
      )}
    </div>
  )
  return { id, described: described === '' ? undefined : described, labelled }
}
