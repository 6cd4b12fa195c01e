import { useMutation } from '@tanstack/react-query'
import { type LucideIcon, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Name } from '../../api/client.js'
import { maskSecrets } from '../../api/masked.js'
import { buildShownCall, type ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { EmptyState } from '../../components/empty-state.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { PageHeader } from '../../components/page-header.js'
import { Skeleton } from '../../components/skeleton.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec, Values } from './field-spec.js'
import { RecordForm } from './record-form.js'

/** An operation that makes, changes and deletes records. */
export interface RecordWrite<Item, Body> {
  readonly operation: Name
  /** Returns the body that saves the fields; without an item those of a new one. @throws Problem that names a field */
  readonly saved: (item: Item | undefined, changed: Record<string, unknown>) => Body
  readonly deleted: (item: Item) => Body
  readonly run: (body: Body) => Promise<unknown>
}

export interface RecordsProps<Item, Body> {
  readonly title: string
  /** One line on what the list is for. With it the list is the whole page, and its title that of the page. */
  readonly about?: string
  readonly icon: LucideIcon
  /** Sentence for an empty list. */
  readonly none: string
  readonly add: string
  readonly items: readonly Item[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly getKey: (item: Item) => string
  readonly getName: (item: Item) => string
  readonly heads: readonly string[]
  readonly listCells: (item: Item) => readonly ReactNode[]
  readonly specs: readonly FieldSpec[]
  /** Values of the form; without an item those of a new one. */
  readonly listValues: (item?: Item) => Values
  /** False: the list can only be read. */
  readonly mayEdit: boolean
  readonly canChange?: (item: Item) => boolean
  readonly write: RecordWrite<Item, Body>
  /** Sentence about a deletion. */
  readonly removal: string
  /** More buttons of a row. */
  readonly more?: (item: Item) => ReactNode
}

/** A list of records that are made, changed and deleted in dialogs. */
export function Records<Item, Body>(props: RecordsProps<Item, Body>) {
  const { title, about, items, error, onRetry, getKey, heads, listCells, mayEdit, canChange, more } = props
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
          <Button size="small" onClick={() => setEdited(item)}>
            {records.edit}
          </Button>
          <Button look="danger" size="small" onClick={() => setRemoved(item)}>
            {records.remove}
          </Button>
        </>
      ) : null}
    </div>
  )
  const hasActions = mayEdit || more !== undefined
  const adding = mayEdit ? (
    <Button icon={Plus} look="main" onClick={() => setEdited(null)}>
      {props.add}
    </Button>
  ) : null
  return (
    <Around isPage={about !== undefined} titleId={titleId}>
      {about === undefined ? (
        <div className={layout.head}>
          <h2 id={titleId}>{title}</h2>
          {adding}
        </div>
      ) : (
        <PageHeader titleId={titleId} title={title} about={about}>
          {adding}
        </PageHeader>
      )}
      {error === null ? null : <Failure error={error} onRetry={onRetry} />}
      {items === undefined ? (
        error === null ? (
          <Skeleton />
        ) : null
      ) : items.length === 0 ? (
        // The button above is the next step; one here would go with the first record, and the focus with it.
        <EmptyState icon={props.icon} title={props.none} />
      ) : (
        <DataTable
          labelledBy={titleId}
          heads={hasActions ? [...heads, records.actions] : heads}
          rows={items}
          row={(item) => ({
            key: getKey(item),
            cells: hasActions ? [...listCells(item), actions(item)] : listCells(item),
          })}
        />
      )}
      <Editor {...props} edited={edited} onClose={() => setEdited(undefined)} />
      <Removal {...props} removed={removed} onClose={() => setRemoved(undefined)} />
    </Around>
  )
}

interface AroundProps {
  readonly isPage: boolean
  readonly titleId: string
  readonly children: ReactNode
}

function Around({ isPage, titleId, children }: AroundProps) {
  return isPage ? children : <Card labelledBy={titleId}>{children}</Card>
}

interface EditorProps<Item, Body> extends RecordsProps<Item, Body> {
  readonly edited: Item | null | undefined
  readonly onClose: () => void
}

function Editor<Item, Body>(props: EditorProps<Item, Body>) {
  const { edited, onClose, add, getName, specs, listValues, write } = props
  const records = useRecordWords()
  const save = useMutation({
    gcTime: 0,
    mutationFn: async (changed: Record<string, unknown>) => write.run(write.saved(edited ?? undefined, changed)),
    onSuccess: onClose,
  })
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <Dialog isOpen={edited !== undefined} onClose={close} title={edited ? records.editTitle(getName(edited)) : add}>
      {edited === undefined ? null : (
        <RecordForm
          specs={specs}
          initial={listValues(edited ?? undefined)}
          submit={records.save}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(changed) => save.mutate(changed)}
          onCancel={close}
          createCall={(changed) => buildCall(write, () => write.saved(edited ?? undefined, changed))}
        />
      )}
    </Dialog>
  )
}

interface RemovalProps<Item, Body> extends RecordsProps<Item, Body> {
  readonly removed: Item | undefined
  readonly onClose: () => void
}

function Removal<Item, Body>({ removed, onClose, getName, write, removal }: RemovalProps<Item, Body>) {
  const records = useRecordWords()
  const remove = useMutation({ mutationFn: (item: Item) => write.run(write.deleted(item)), onSuccess: onClose })
  return (
    <Confirm
      isOpen={removed !== undefined}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={records.removeTitle(removed === undefined ? '' : getName(removed))}
      action={records.remove}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => removed !== undefined && remove.mutate(removed)}
      call={removed === undefined ? null : buildCall(write, () => write.deleted(removed))}
    >
      <p>{removal}</p>
    </Confirm>
  )
}

/** Returns the call without secrets; null while a field cannot be sent as it is. */
function buildCall(
  { operation }: Pick<RecordWrite<never, never>, 'operation'>,
  generateBody: () => unknown,
): ShownCall | null {
  try {
    return buildShownCall(operation, { body: maskSecrets(generateBody()) } as never)
  } catch {
    return null
  }
}
