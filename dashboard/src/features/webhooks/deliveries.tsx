import { useId, useState } from 'react'
import type { Delivery, Webhook } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import { useDeliveries, useDelivery, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { Attempts } from './attempts.js'
import { EndpointField, EventField } from './choice-fields.js'
import { FailureReason } from './failure-reason.js'
import { deliveryStates, type WebhookSearch } from './search.js'
import type { SignedDelivery } from './signature-help.js'

const LOOKS = { delivered: layout.good, waiting: layout.busy, failed: layout.bad, dead: layout.bad }

interface DeliveriesProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
  readonly search: WebhookSearch
  readonly onSearch: (search: WebhookSearch) => void
  /** Called with a delivery whose signature is to be checked. */
  readonly onCheck: (delivery: SignedDelivery) => void
}

/** Events that were sent to webhooks, or wait for it, the newest first. One opens its attempts. */
export function Deliveries({ owner, webhooks, search, onSearch, onCheck }: DeliveriesProps) {
  const words = useWords()
  const hook = useWebhookWords()
  const titleId = useId()
  const [open, setOpen] = useState<Delivery | undefined>(undefined)
  const { webhookId, state, event } = search
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(owner, {
    ...(webhookId === undefined ? {} : { webhookId }),
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { event }),
  })
  const rows = data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
  const isFiltered = webhookId !== undefined || state !== undefined || event !== undefined
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{hook.deliveries}</h2>
        <Button onClick={() => void refetch()}>{hook.reload}</Button>
      </div>
      <Filters owner={owner} webhooks={webhooks} search={search} onSearch={onSearch} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : rows.length === 0 ? (
        <Notice>{isFiltered ? hook.noDeliveriesFit : hook.noDeliveries}</Notice>
      ) : (
        <Rows titleId={titleId} rows={rows} onOpen={setOpen} />
      )}
      {hasNextPage ? (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {hook.older}
          </Button>
        </div>
      ) : null}
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={hook.deliveryTitle(open?.event ?? '')}
      >
        {open === undefined ? null : <Opened owner={owner} id={open.id} onCheck={onCheck} />}
      </Dialog>
    </Card>
  )
}

interface OpenedProps extends Pick<DeliveriesProps, 'owner' | 'onCheck'> {
  readonly id: string
}

function Opened({ owner, id, onCheck }: OpenedProps) {
  const words = useWords()
  const { data, error, refetch } = useDelivery(owner, id)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <p role="status">{words.loading}</p>
  return <Attempts owner={owner} reply={data} onCheck={onCheck} />
}

interface RowsProps {
  readonly titleId: string
  readonly rows: readonly Delivery[]
  readonly onOpen: (delivery: Delivery) => void
}

function Rows({ titleId, rows, onOpen }: RowsProps) {
  const hook = useWebhookWords()
  const language = useLanguage()
  return (
    <DataTable
      labelledBy={titleId}
      heads={[hook.event, hook.when, hook.state, hook.status, hook.attempts, hook.error, hook.open]}
      rows={rows}
      row={(one) => ({
        key: one.id,
        cells: [
          one.event,
          <Moment key="when" at={one.created} language={language} />,
          <div key="state">
            <span className={`${layout.tag} ${LOOKS[one.state]}`}>{hook.states[one.state]}</span>
            {one.nextAttemptAt === null || one.state !== 'failed' ? null : (
              <div className={layout.muted}>
                {hook.next} <Moment at={one.nextAttemptAt} language={language} />
              </div>
            )}
          </div>,
          one.status_code === 0 ? hook.noAnswer : one.status_code,
          one.attempts,
          <FailureReason key="error" code={one.code} status={one.status_code} error={one.error} />,
          <Button key="open" onClick={() => onOpen(one)}>
            {hook.open}
          </Button>,
        ],
      })}
    />
  )
}

function Filters({ owner, webhooks, search, onSearch }: Omit<DeliveriesProps, 'onCheck'>) {
  const hook = useWebhookWords()
  const change = (field: 'webhookId' | 'state' | 'event', value: string) => {
    const { [field]: _, ...rest } = search
    onSearch(value === '' ? rest : { ...rest, [field]: value })
  }
  return (
    <div className={layout.columns}>
      <EndpointField
        owner={owner}
        webhooks={webhooks}
        value={search.webhookId}
        onChange={(id = '') => change('webhookId', id)}
      />
      <SelectField
        label={hook.state}
        value={search.state ?? ''}
        onChange={({ target }) => change('state', target.value)}
      >
        <option value="">{hook.allStates}</option>
        {deliveryStates.map((one) => (
          <option key={one} value={one}>
            {hook.states[one]}
          </option>
        ))}
      </SelectField>
      <EventField label={hook.event} value={search.event} onChange={(kind) => change('event', kind ?? '')} />
    </div>
  )
}
