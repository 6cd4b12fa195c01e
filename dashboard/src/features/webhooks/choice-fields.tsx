import type { EventKind, Webhook } from '../../../../schemas/generated.js'
import { SelectField } from '../../components/field.js'
import { eventKinds } from '../../format/event-kinds.js'
import { showUnseen } from '../../format/visible.js'
import type { WebhookOwner } from '../../hooks/use-webhooks.js'
import { useWebhookWords } from '../../words/webhooks/index.js'

interface EndpointFieldProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
}

/** Chooses one of several endpoints; nothing is drawn where there is no choice. */
export function EndpointField({ owner, webhooks, value = '', onChange }: EndpointFieldProps) {
  const hook = useWebhookWords()
  if (owner.isGlobal || webhooks.length < 2) return null
  return (
    <SelectField label={hook.endpoint} value={value} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{hook.allEndpoints}</option>
      {webhooks.map(({ id, url }) => (
        <option key={String(id)} value={String(id)}>
          {showUnseen(String(url))}
        </option>
      ))}
    </SelectField>
  )
}

interface EventFieldProps {
  readonly label: string
  readonly value: EventKind | undefined
  readonly onChange: (kind: EventKind | undefined) => void
}

/** Chooses a kind of events. */
export function EventField({ label, value, onChange }: EventFieldProps) {
  const hook = useWebhookWords()
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(eventKinds.find((kind) => kind === target.value))}
    >
      <option value="">{hook.allKinds}</option>
      {eventKinds.map((kind) => (
        <option key={kind}>{kind}</option>
      ))}
    </SelectField>
  )
}
