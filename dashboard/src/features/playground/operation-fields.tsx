import type { ApiField } from '../../api/operations.js'
import { InputField, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { usePlaygroundWords } from '../../words/playground.js'
import { makeFieldKey, type Typed } from './values.js'

interface OperationFieldsProps {
  readonly fields: readonly ApiField[]
  readonly typed: Typed
  readonly onType: (key: string, value: string) => void
  /** Reason for each field that does not fit. */
  readonly wrong: Readonly<Record<string, string>>
}

/** A form of the fields of an operation: the required ones, then the others behind a line that opens. */
export function OperationFields({ fields, typed, onType, wrong }: OperationFieldsProps) {
  const words = usePlaygroundWords()
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  const shown = (some: readonly ApiField[]) => (
    <div className={layout.columns}>
      {some.map((field) => (
        <Field
          key={makeFieldKey(field)}
          field={field}
          value={typed[makeFieldKey(field)] ?? ''}
          wrong={wrong[makeFieldKey(field)]}
          onChange={(value) => onType(makeFieldKey(field), value)}
        />
      ))}
    </div>
  )
  if (fields.length === 0) return <p className={layout.muted}>{words.noFields}</p>
  return (
    <>
      {required.length === 0 ? null : shown(required)}
      {optional.length === 0 ? null : (
        <details open={required.length === 0}>
          <summary>{words.optional(optional.length)}</summary>
          {shown(optional)}
        </details>
      )}
    </>
  )
}

interface FieldProps {
  readonly field: ApiField
  readonly value: string
  readonly wrong: string | undefined
  readonly onChange: (value: string) => void
}

function Field({ field, value, wrong, onChange }: FieldProps) {
  const words = usePlaygroundWords()
  const { name, isRequired, description, type, choices, minimum, maximum, maxLength, example } = field
  const shared = { label: name, help: description, wrong, value, required: isRequired }
  if (type === 'choice' || type === 'boolean')
    return (
      <SelectField {...shared} onChange={({ target }) => onChange(target.value)}>
        <option value="">{isRequired ? words.choose : words.leftOut}</option>
        {(type === 'boolean' ? ['true', 'false'] : choices).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </SelectField>
    )
  const placeholder = example.length > 200 ? '' : example
  if (type === 'json')
    return (
      <TextField
        {...shared}
        rows={3}
        spellCheck={false}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <InputField
      {...shared}
      type={type === 'number' ? 'number' : 'text'}
      autoComplete="off"
      placeholder={placeholder}
      {...(type === 'number' ? { step: 'any', min: minimum, max: maximum } : { maxLength })}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
