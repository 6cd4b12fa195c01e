import { Tags } from 'lucide-react'
import type { EditLabelRequest, Label } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useGroupWords } from '../../words/groups/index.js'
import type { FieldSpec } from '../records/field-spec.js'
import { Records } from '../records/records.js'

const COLOR_MAX = 19

/** Labels of the account. */
export function LabelList({ scope }: { readonly scope: Scope }) {
  const group = useGroupWords()
  const { data, error, refetch } = useRead(scope, 'listLabels', {})
  const edit = useWrite(scope, 'editLabel', ['listLabels'])
  useInstanceEvents((event) => {
    if (event !== 'open' && event.EventType === 'labels') void refetch()
  })
  const specs: readonly FieldSpec[] = [
    { name: 'name', label: group.name, kind: 'text', required: true, maxLength: 100 },
    { name: 'color', label: group.color, kind: 'number', min: 0, max: COLOR_MAX, step: 1 },
  ]
  return (
    <Records<Label, EditLabelRequest>
      title={group.labels}
      icon={Tags}
      none={group.noLabels}
      add={group.addLabel}
      items={data}
      error={error}
      onRetry={() => void refetch()}
      getKey={({ labelid }) => labelid}
      getName={({ name }) => showUnseen(name)}
      heads={[group.name, group.color]}
      listCells={({ name, color, colorHex = '' }) => [
        <bdi key="name">{showUnseen(name)}</bdi>,
        <span key="color">
          {/^[0-9a-f]{6}$/i.test(colorHex) ? (
            <span aria-hidden="true" style={{ color: `#${colorHex}` }}>
              ●{' '}
            </span>
          ) : null}
          {color}
        </span>,
      ]}
      specs={specs}
      listValues={(one) => (one === undefined ? { color: 0 } : { ...one })}
      mayEdit={mayConnect()}
      write={{
        operation: 'editLabel',
        saved: (one, changed) => (one === undefined ? { color: 0, ...changed } : { labelid: one.labelid, ...changed }),
        deleted: ({ labelid }) => ({ labelid, delete: true }),
        run: (body) => edit.mutateAsync({ body }),
      }}
      removal={group.labelRemoval}
    />
  )
}
