import { useState } from 'react'
import { Choices } from '../../components/choices.js'
import { Failure } from '../../components/failure.js'
import { useWebhooks, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useWords } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { DeadLetters } from './dead-letters.js'
import { Deliveries } from './deliveries.js'
import { Endpoints } from './endpoints.js'
import { type WebhookSearch, type WebhookView, webhookViews } from './search.js'
import { SignatureHelp, type SignedDelivery } from './signature-help.js'

interface WebhookViewsProps {
  readonly title: string
  readonly owner: WebhookOwner
  readonly search: WebhookSearch
  readonly onSearch: (search: WebhookSearch) => void
}

export function WebhookViews({ title, owner, search, onSearch }: WebhookViewsProps) {
  const words = useWords()
  const hook = useWebhookWords()
  const { data: webhooks, error, refetch } = useWebhooks(owner)
  const { view = 'endpoints', webhookId, from } = search
  const [checked, setChecked] = useState<SignedDelivery | undefined>(undefined)
  const choose = (next: WebhookView) => onSearch({ ...search, view: next })
  return (
    <>
      <h1>{title}</h1>
      <Choices
        label={hook.views}
        options={webhookViews.map((one) => [one, hook[one]] as const)}
        chosen={view}
        onChoose={choose}
      />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {webhooks === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : view === 'endpoints' ? (
        <Endpoints owner={owner} webhooks={webhooks} />
      ) : view === 'deliveries' ? (
        <Deliveries
          owner={owner}
          webhooks={webhooks}
          search={search}
          onSearch={onSearch}
          onCheck={(delivery) => {
            setChecked(delivery)
            choose('signature')
          }}
        />
      ) : view === 'dead' ? (
        <DeadLetters
          owner={owner}
          webhooks={webhooks}
          filter={{
            ...(webhookId === undefined ? {} : { webhookId }),
            ...(from === undefined ? {} : { from }),
            ...(search.event === undefined ? {} : { event: search.event }),
          }}
          onFilter={(next) => onSearch({ view, ...next })}
        />
      ) : (
        <SignatureHelp {...(checked === undefined ? {} : { delivery: checked })} />
      )}
    </>
  )
}
