import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { useWords } from '../../words/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec, Values } from './field-spec.js'
import { RecordForm } from './record-form.js'

export interface RecordsProps<Item> {
  readonly title: string
  /** Sentence for an empty list. */
  readonly none: string
  readonly add: string
  readonly items: readonly Item[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
  readonly heads: readonly string[]
  readonly cellsOf: (item: Item) => readonly ReactNode[]
  readonly specs: readonly FieldSpec[]
  /** Values of the form; without an item those of a new one. */
  readonly valuesOf: (item?: Item) => Values
  /** False: the list can only be read. */
  readonly mayEdit: boolean
  readonly canChange?: (item: Item) => boolean
  readonly onSave: (item: Item | undefined, changed: Record<string, unknown>) => Promise<unknown>
  readonly onDelete: (item: Item) => Promise<unknown>
  /** Sentence about a deletion. */
  readonly removal: string
  /** More buttons of a row. */
  readonly more?: (item: Item) => ReactNode
}

/** A list of records that are made, changed and deleted in dialogs. */
export function Records<Item>(props: RecordsProps<Item>) {
  const { title, none, add, items, error, onRetry, keyOf, heads, cellsOf, mayEdit, canChange, more } = props
  const words = useWords()
  const records = useRecordWords()
  const titleId = useId()
  // `null` is a new one.
  const [edited, setEdited] = useState<Item | null | undefined>(undefined)
  const [removed, setRemoved] = useState<Item | undefined>(undefined)
  const actions = (item: Item) => (
    <div className={layout.row}>
      {more?.(item)}
      {mayEdit && canChange?.(item) !== false ? (
        <>
          <Button onClick={() => setEdited(item)}>{records.edit}</Button>
          <Button look="danger" onClick={() => setRemoved(item)}>
            {records.remove}
          </Button>
        </>
      ) : null}
    </div>
  )
  const hasActions = mayEdit || more !== undefined
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{title}</h2>
        {mayEdit ? (
          <Button look="main" onClick={() => setEdited(null)}>
            {add}
          </Button>
        ) : null}
      </div>
      {error === null ? null : <Failure error={error} onRetry={onRetry} />}
      {items === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : items.length === 0 ? (
        <p>{none}</p>
      ) : (
        <DataTable
          labelledBy={titleId}
          heads={hasActions ? [...heads, records.actions] : heads}
          rows={items}
          row={(item) => ({
            key: keyOf(item),
            cells: hasActions ? [...cellsOf(item), actions(item)] : cellsOf(item),
          })}
        />
      )}
      <Editor {...props} edited={edited} onClose={() => setEdited(undefined)} />
      <Removal {...props} removed={removed} onClose={() => setRemoved(undefined)} />
    </Card>
  )
}

interface EditorProps<Item> extends RecordsProps<Item> {
  readonly edited: Item | null | undefined
  readonly onClose: () => void
}

function Editor<Item>({ edited, onClose, add, nameOf, specs, valuesOf, onSave }: EditorProps<Item>) {
  const records = useRecordWords()
  const save = useMutation({
    gcTime: 0,
    mutationFn: (changed: Record<string, unknown>) => onSave(edited ?? undefined, changed),
    onSuccess: onClose,
  })
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <Dialog isOpen={edited !== undefined} onClose={close} title={edited ? records.editTitle(nameOf(edited)) : add}>
      {edited === undefined ? null : (
        <RecordForm
          specs={specs}
          initial={valuesOf(edited ?? undefined)}
          submit={records.save}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(changed) => save.mutate(changed)}
          onCancel={close}
        />
      )}
    </Dialog>
  )
}

interface RemovalProps<Item> extends RecordsProps<Item> {
  readonly removed: Item | undefined
  readonly onClose: () => void
}

function Removal<Item>({ removed, onClose, nameOf, onDelete, removal }: RemovalProps<Item>) {
  const records = useRecordWords()
  const remove = useMutation({ mutationFn: (item: Item) => onDelete(item), onSuccess: onClose })
  return (
    <Confirm
      isOpen={removed !== undefined}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={records.removeTitle(removed === undefined ? '' : nameOf(removed))}
      action={records.remove}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => removed !== undefined && remove.mutate(removed)}
    >
      <p>{removal}</p>
    </Confirm>
  )
}
