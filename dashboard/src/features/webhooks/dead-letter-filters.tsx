import type { EventKind, Webhook } from '../../../../schemas/generated.js'
import { InputField, SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { eventKinds } from '../../format/event-kinds.js'
import { visible } from '../../format/visible.js'
import type { DeadLetterFilter, WebhookOwner } from '../../hooks/use-webhooks.js'
import { useWebhookWords } from '../../words/webhooks/index.js'

interface DeadLetterFiltersProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
  readonly filter: DeadLetterFilter
  readonly onFilter: (filter: DeadLetterFilter) => void
}

/** Fields that choose dead letters. */
export function DeadLetterFilters({ owner, webhooks, filter, onFilter }: DeadLetterFiltersProps) {
  const hook = useWebhookWords()
  const { webhookId = '', from = '', event = '' } = filter
  const choose = (change: { readonly [One in keyof DeadLetterFilter]: DeadLetterFilter[One] | undefined }) =>
    onFilter(
      Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
      ) as DeadLetterFilter,
    )
  return (
    <div className={layout.columns}>
      {owner.isGlobal || webhooks.length < 2 ? null : (
        <SelectField
          label={hook.endpoint}
          value={webhookId}
          onChange={({ target: { value } }) => choose({ webhookId: value === '' ? undefined : value })}
        >
          <option value="">{hook.allEndpoints}</option>
          {webhooks.map(({ id, url }) => (
            <option key={id} value={id}>
              {visible(url)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={hook.kind}
        value={event}
        onChange={({ target: { value } }) => choose({ event: value === '' ? undefined : (value as EventKind) })}
      >
        <option value="">{hook.allKinds}</option>
        {eventKinds.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      <InputField
        label={hook.from}
        type="datetime-local"
        value={from === '' ? '' : localTime(from)}
        onChange={({ target: { value } }) => choose({ from: value === '' ? undefined : new Date(value).toISOString() })}
      />
    </div>
  )
}

/** Returns the value of a field for local times. */
function localTime(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
