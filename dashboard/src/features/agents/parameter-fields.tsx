import { useState } from 'react'
import { CheckField, InputField, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { useAgentWords } from '../../words/agents/index.js'
import { BuilderRows } from '../composer/builder-rows.js'
import { replaceRow } from '../composer/rows.js'
import {
  makeParameter,
  makeParameters,
  PARAMETER_TYPES,
  type ParameterRow,
  readParameterRows,
} from './parameter-rows.js'

interface ParameterFieldsProps {
  /** The list, or its JSON while that is edited. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const PARAMETERS_MAX = 100

/** The parameters of a function, as fields or as JSON. */
export function ParameterFields({ value, onChange }: ParameterFieldsProps) {
  const agent = useAgentWords()
  const isText = typeof value === 'string'
  return (
    <fieldset className={layout.group}>
      <legend>{agent.parameterList}</legend>
      <CheckField
        label={agent.asJson}
        checked={isText}
        onChange={({ target }) => {
          if (target.checked) onChange(JSON.stringify(value ?? [], null, 2))
          else if (isText && readParameterRows(value) !== null) onChange(JSON.parse(value === '' ? '[]' : value))
        }}
      />
      {isText ? (
        <TextField
          label={agent.parameters}
          help={agent.parametersHelp}
          wrong={readParameterRows(value) === null ? agent.notJson : undefined}
          rows={6}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <Rows value={value} onChange={onChange} />
      )}
    </fieldset>
  )
}

function Rows({ value, onChange }: ParameterFieldsProps) {
  const agent = useAgentWords()
  const [rows, setRows] = useState<readonly ParameterRow[]>(() => readParameterRows(value) ?? [])
  const set = (next: readonly ParameterRow[]) => {
    setRows(next)
    onChange(makeParameters(next))
  }
  return (
    <BuilderRows
      rows={rows}
      onChange={set}
      min={0}
      max={PARAMETERS_MAX}
      name={agent.parameter}
      add={agent.addParameter}
      create={makeParameter}
    >
      {(row, index) => {
        const change = (part: Partial<ParameterRow>) => set(replaceRow(rows, index, { ...row, ...part }))
        return <ParameterRowFields row={row} change={change} />
      }}
    </BuilderRows>
  )
}

interface ParameterRowFieldsProps {
  readonly row: ParameterRow
  readonly change: (part: Partial<ParameterRow>) => void
}

function ParameterRowFields({ row, change }: ParameterRowFieldsProps) {
  const agent = useAgentWords()
  const isNumber = row.type === 'number' || row.type === 'integer'
  const bound = (name: 'minimum' | 'maximum') => (
    <InputField
      label={agent[name]}
      type="number"
      step="any"
      value={row[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
  return (
    <>
      <InputField
        label={agent.parameterName}
        required
        maxLength={100}
        autoComplete="off"
        value={row.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <SelectField
        label={agent.parameterType}
        value={row.type}
        onChange={({ target }) => change({ type: target.value })}
      >
        {PARAMETER_TYPES.map((type) => (
          <option key={type} value={type}>
            {agent.parameterTypes[type]}
          </option>
        ))}
      </SelectField>
      <InputField
        label={agent.description}
        maxLength={2_000}
        value={row.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      {row.type === 'string' ? (
        <InputField
          label={agent.allowedValues}
          help={agent.betweenCommas}
          maxLength={5_000}
          value={row.enum}
          onChange={({ target }) => change({ enum: target.value })}
        />
      ) : null}
      {isNumber ? bound('minimum') : null}
      {isNumber ? bound('maximum') : null}
      <CheckField
        label={agent.requiredParameter}
        checked={row.required}
        onChange={({ target }) => change({ required: target.checked })}
      />
    </>
  )
}
