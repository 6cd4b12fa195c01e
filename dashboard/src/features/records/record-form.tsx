import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/problem.js'
import type { ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { ShowCurl } from '../../components/show-curl.js'
import { useWords } from '../../words/index.js'
import { type FieldSpec, findWrong, pickChanged, type Values } from './field-spec.js'

interface RecordFormProps {
  readonly specs: readonly FieldSpec[]
  readonly initial: Values
  readonly submit: string
  readonly isBusy: boolean
  readonly error: Error | null
  /** Called with the fields that differ from `initial`. */
  readonly onSubmit: (changed: Record<string, unknown>) => void
  readonly onCancel?: () => void
  /** Returns the call that saves these fields, for programs. */
  readonly createCall: (changed: Record<string, unknown>) => ShownCall | null
}

/** A form for the fields of a record. The reasons of the server stand at their fields. */
export function RecordForm({ specs, initial, submit, isBusy, error, onSubmit, onCancel, createCall }: RecordFormProps) {
  const words = useWords()
  const [values, setValues] = useState<Values>(initial)
  const reasons = error instanceof Problem ? error.fields : {}
  const shown = specs.filter(({ isHidden }) => isHidden?.(values) !== true)
  const call = createCall(pickChanged(specs, initial, values))
  const isPlaced = shown.some(({ name }) => findWrong(reasons, name) !== undefined)

  function send(event: FormEvent): void {
    event.preventDefault()
    if (!isBusy) onSubmit(pickChanged(specs, initial, values))
  }

  return (
    <form className={layout.form} onSubmit={send}>
      {shown.map((spec) => (
        <RecordField
          key={spec.name}
          spec={spec}
          value={values[spec.name]}
          wrong={findWrong(reasons, spec.name)}
          onChange={(value) => setValues((before) => ({ ...before, [spec.name]: value }))}
        />
      ))}
      {error === null || isPlaced ? null : <Failure error={error} />}
      <div className={layout.row}>
        <Button type="submit" look="main" isBusy={isBusy}>
          {submit}
        </Button>
        {onCancel === undefined ? null : <Button onClick={onCancel}>{words.cancel}</Button>}
        {call === null ? null : <ShowCurl call={call} />}
      </div>
    </form>
  )
}

interface RecordFieldProps {
  readonly spec: FieldSpec
  readonly value: unknown
  readonly wrong: string | undefined
  readonly onChange: (value: unknown) => void
}

function RecordField({ spec, value, wrong, onChange }: RecordFieldProps) {
  const { kind, label, help, required = false, maxLength, min, max, step, options = [], draw } = spec
  if (kind === 'own')
    return (
      <>
        {draw?.(value, onChange)}
        {wrong === undefined ? null : <p role="alert">{wrong}</p>}
      </>
    )
  if (kind === 'check')
    return (
      <CheckField
        label={label}
        help={wrong ?? help}
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    )
  const text = typeof value === 'string' || typeof value === 'number' ? value : ''
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        help={help}
        wrong={wrong}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </SelectField>
    )
  if (kind === 'long')
    return (
      <TextField
        label={label}
        help={help}
        wrong={wrong}
        required={required}
        rows={5}
        maxLength={maxLength}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <InputField
      label={label}
      help={help}
      wrong={wrong}
      required={required}
      type={kind === 'number' ? 'number' : kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      maxLength={maxLength}
      min={min}
      max={max}
      step={kind === 'number' ? (step ?? 'any') : undefined}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
