import { useEffect, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { InputField, inputLook, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useCampaignWords } from '../../words/campaigns/index.js'
import type { ListHead } from '../csv/list-worker.js'
import { type ColumnChoice, type ColumnRole, makeFieldName } from '../csv/recipients.js'
import type { useListWorker } from '../csv/use-list-worker.js'

const ROLES: readonly ColumnRole[] = ['number', 'name', 'timezone', 'field', 'leave']
/** Time without typing after which the recipients are made again. */
const TYPING_MS = 300

export interface ListChoice {
  readonly columns: readonly ColumnChoice[]
  readonly countryCode: string
  readonly hasCountry?: boolean
}

interface ListStepProps {
  readonly list: ReturnType<typeof useListWorker>
  readonly choice: ListChoice
  readonly onChange: (choice: ListChoice) => void
}

/** Reads the list, and says which column is what. */
export function ListStep({ list, choice, onChange }: ListStepProps) {
  const words = useCampaignWords()
  const fileId = useId()
  const [pasted, setPasted] = useState('')
  const { head, build } = list
  const hasNumber = choice.columns.some(({ role }) => role === 'number')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list, or another meaning of its columns, makes the recipients again.
  useEffect(() => {
    if (head === undefined || !hasNumber || choice.columns.length !== head.columns.length) return undefined
    const timer = setTimeout(() => build(choice), TYPING_MS)
    return () => clearTimeout(timer)
  }, [head, choice, hasNumber])
  return (
    <>
      <div className={layout.group}>
        <label htmlFor={fileId}>{words.file}</label>
        <input
          id={fileId}
          className={inputLook}
          type="file"
          accept=".csv,.txt,.tsv,.json,.jsonl,.ndjson,text/csv"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) list.read(file)
          }}
        />
      </div>
      <TextField
        label={words.paste}
        help={words.pasteHelp}
        rows={3}
        spellCheck={false}
        value={pasted}
        onChange={({ target }) => setPasted(target.value)}
      />
      <div>
        <Button onClick={() => list.read(new Blob([pasted]))} disabled={pasted.trim() === ''}>
          {words.readPasted}
        </Button>
      </div>
      {list.failed === undefined ? null : <Notice look="bad">{words.failed}</Notice>}
      {list.isBusy && head === undefined ? <p role="status">{words.reading}</p> : null}
      {head === undefined ? null : (
        <>
          <p role="status">
            {words.found(head.total, head.encoding, head.separator === '\t' ? words.tab : head.separator)}
          </p>
          <ColumnTable head={head} choice={choice} onChange={onChange} />
          <InputField
            label={words.countryCode}
            help={words.countryCodeHelp}
            inputMode="numeric"
            maxLength={4}
            value={choice.countryCode}
            onChange={({ target }) => onChange({ ...choice, countryCode: target.value.replace(/\D/g, '') })}
          />
          {hasNumber ? null : <Notice look="bad">{words.noNumber}</Notice>}
          <Counts built={list.built} />
          <FirstRows head={head} />
        </>
      )}
    </>
  )
}

function ColumnTable({
  head,
  choice,
  onChange,
}: { readonly head: ListHead } & Pick<ListStepProps, 'choice' | 'onChange'>) {
  const words = useCampaignWords()
  const titleId = useId()
  const set = (place: number, part: Partial<ColumnChoice>) =>
    onChange({
      ...choice,
      columns: choice.columns.map((one, index) => {
        if (index === place) return { ...one, ...part }
        // One column has the numbers, one the names, one the zones.
        const isTaken =
          part.role !== undefined && part.role !== 'field' && part.role !== 'leave' && one.role === part.role
        return isTaken ? { ...one, role: 'field' as const } : one
      }),
    })
  return (
    <>
      <h3 id={titleId}>{words.columns}</h3>
      <DataTable
        labelledBy={titleId}
        heads={[words.column, words.example, words.meaning, words.placeholder]}
        rows={head.columns}
        row={(column, place) => {
          const { role = 'leave', name = '' } = choice.columns[place] ?? {}
          return {
            key: String(place),
            cells: [
              <bdi key="column">{showUnseen(column)}</bdi>,
              <bdi key="example">{showUnseen((head.rows[0]?.[place] ?? '').slice(0, 60))}</bdi>,
              <SelectField
                key="role"
                label={words.meaning}
                value={role}
                onChange={({ target }) => set(place, { role: target.value as ColumnRole })}
              >
                {ROLES.map((one) => (
                  <option key={one} value={one}>
                    {words.roles[one]}
                  </option>
                ))}
              </SelectField>,
              role === 'field' ? (
                <InputField
                  key="name"
                  label={words.placeholder}
                  value={name}
                  onChange={({ target }) => set(place, { name: makeFieldName(target.value) })}
                />
              ) : role === 'name' ? (
                '{{name}}'
              ) : (
                ''
              ),
            ],
          }
        }}
      />
    </>
  )
}

function Counts({ built }: { readonly built: ListStepProps['list']['built'] }) {
  const words = useCampaignWords()
  if (built === undefined) return null
  return (
    <Notice look={built.wrong > 0 ? 'busy' : 'plain'}>
      <p>{words.counts(built.good, built.wrong, built.doubles)}</p>
      {built.problems.length === 0 ? null : (
        <details>
          <summary>{words.wrongRows}</summary>
          <ul>
            {built.problems.map(({ line, value }) => (
              <li key={line}>
                <bdi>{words.wrongRow(line, showUnseen(value))}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Notice>
  )
}

function FirstRows({ head }: { readonly head: ListHead }) {
  const words = useCampaignWords()
  const titleId = useId()
  return (
    <details>
      <summary id={titleId}>{words.firstRows(head.rows.length)}</summary>
      <DataTable
        labelledBy={titleId}
        heads={head.columns.map((column) => showUnseen(column))}
        rows={head.rows}
        row={(row, index) => ({
          key: String(index),
          cells: row.map((cell, place) => <bdi key={head.columns[place]}>{showUnseen(cell.slice(0, 200))}</bdi>),
        })}
      />
    </details>
  )
}
