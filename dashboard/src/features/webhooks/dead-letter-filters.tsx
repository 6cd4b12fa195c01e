import type { Webhook } from '../../../../schemas/generated.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import type { DeadLetterFilter, WebhookOwner } from '../../hooks/use-webhooks.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { EndpointField, EventField } from './choice-fields.js'

interface DeadLetterFiltersProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
  readonly filter: DeadLetterFilter
  readonly onFilter: (filter: DeadLetterFilter) => void
}

/** Fields that choose dead letters. */
export function DeadLetterFilters({ owner, webhooks, filter, onFilter }: DeadLetterFiltersProps) {
  const hook = useWebhookWords()
  const { from = '' } = filter
  const choose = (change: { readonly [One in keyof DeadLetterFilter]: DeadLetterFilter[One] | undefined }) =>
    onFilter(
      Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
      ) as DeadLetterFilter,
    )
  return (
    <div className={layout.columns}>
      <EndpointField
        owner={owner}
        webhooks={webhooks}
        value={filter.webhookId}
        onChange={(webhookId) => choose({ webhookId })}
      />
      <EventField label={hook.kind} value={filter.event} onChange={(event) => choose({ event })} />
      <InputField
        label={hook.from}
        type="datetime-local"
        value={from === '' ? '' : toLocalTime(from)}
        onChange={({ target: { value } }) => choose({ from: value === '' ? undefined : new Date(value).toISOString() })}
      />
    </div>
  )
}

/** Returns the value of a field for local times. */
function toLocalTime(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
