import { type FormEvent, useState } from 'react'
import type { MessageFilter, SetWebhookRequest, Webhook } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { ShowCurl } from '../../components/show-curl.js'
import { eventKinds } from '../../format/event-kinds.js'
import { useSetWebhook, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useWords } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { BatchFields, useBatch } from './batch-fields.js'

const FILTERS: readonly MessageFilter[] = [
  'wasSentByApi',
  'wasNotSentByApi',
  'fromMeYes',
  'fromMeNo',
  'isGroupYes',
  'isGroupNo',
]
const FLAGS = ['enabled', 'addUrlEvents', 'addUrlTypesMessages', 'includeAiMetadata'] as const

interface EndpointFormProps {
  readonly owner: WebhookOwner
  /** Without one, a webhook is made. */
  readonly webhook?: Webhook
  readonly onDone: (webhooks: readonly Webhook[]) => void
  readonly onCancel: () => void
}

export function EndpointForm({ owner, webhook, onDone, onCancel }: EndpointFormProps) {
  const words = useWords()
  const hook = useWebhookWords()
  const set = useSetWebhook(owner)
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [headers, setHeaders] = useState(() => formatHeaders(webhook?.headers ?? {}))
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['messages', 'messages_update'])
  const [filters, setFilters] = useState<readonly MessageFilter[]>(() =>
    (webhook?.excludeMessages ?? ['wasSentByApi']).map((one) => (one === 'IsGroupNo' ? 'isGroupNo' : one)),
  )
  const [flags, setFlags] = useState({
    enabled: webhook?.enabled ?? true,
    addUrlEvents: webhook?.addUrlEvents ?? false,
    addUrlTypesMessages: webhook?.addUrlTypesMessages ?? false,
    includeAiMetadata: webhook?.includeAiMetadata ?? false,
  })
  const batch = useBatch(webhook?.batch)
  // Names that this release does not know stay as they are until they are unchecked.
  const [names] = useState<readonly string[]>(() => [...new Set<string>([...eventKinds, ...events])])
  const fields = set.error instanceof Problem ? set.error.fields : {}
  const wrong = (field: string) =>
    Object.entries(fields).find(
      ([name]) => name === field || name.startsWith(`${field}[`) || name.startsWith(`${field}.`),
    )?.[1]

  const body: SetWebhookRequest = {
    url: url.trim(),
    headers: readHeaders(headers),
    events: [...events],
    excludeMessages: [...filters],
    ...flags,
    batch: batch.named,
  }
  const ofOne: SetWebhookRequest = {
    ...body,
    ...(webhook === undefined ? { action: 'add' } : { action: 'update', id: webhook.id }),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!set.isPending) set.mutate(ofOne, { onSuccess: onDone })
  }

  const isAtField = ['url', 'headers', 'batch'].some((field) => wrong(field) !== undefined)
  const flagWords = {
    enabled: hook.enabled,
    addUrlEvents: hook.addEvent,
    addUrlTypesMessages: hook.addType,
    includeAiMetadata: hook.addAi,
  }
  return (
    <form className={layout.form} onSubmit={submit}>
      <InputField
        label={hook.url}
        help={hook.urlHelp}
        wrong={wrong('url')}
        required
        type="url"
        maxLength={2_000}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <HeadersField wrong={wrong('headers')} value={headers} onChange={setHeaders} />
      <CheckGroup title={hook.events} wrong={wrong('events')} names={names} chosen={events} onChange={setEvents} />
      <CheckGroup
        title={hook.filters}
        wrong={wrong('excludeMessages')}
        names={FILTERS}
        chosen={filters}
        onChange={setFilters}
        wordOf={(name) => hook.filterWords[name] ?? name}
      />
      <div>
        {FLAGS.map((name) => (
          <CheckField
            key={name}
            label={flagWords[name]}
            checked={flags[name]}
            onChange={({ target }) => setFlags((before) => ({ ...before, [name]: target.checked }))}
          />
        ))}
      </div>
      <BatchFields typed={batch.typed} wrong={wrong('batch')} onChange={batch.setTyped} />
      {set.error === null || isAtField ? null : <Failure error={set.error} />}
      <div className={layout.row}>
        <Button type="submit" look="main" isBusy={set.isPending}>
          {hook.save}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
        <ShowCurl
          call={
            owner.isGlobal
              ? buildShownCall('setGlobalWebhook', { body }, 'admintoken')
              : buildShownCall('setWebhook', { body: ofOne })
          }
        />
      </div>
    </form>
  )
}

interface HeadersFieldProps {
  readonly wrong: string | undefined
  readonly value: string
  readonly onChange: (lines: string) => void
}

function HeadersField({ wrong, value, onChange }: HeadersFieldProps) {
  const hook = useWebhookWords()
  return (
    <TextField
      label={hook.ownHeaders}
      help={hook.ownHeadersHelp}
      wrong={wrong}
      rows={3}
      maxLength={8_000}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** One header in each line. A masked value that is sent back stays as it is. */
function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function readHeaders(lines: string): Record<string, string> {
  const given = lines.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    given.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

interface CheckGroupProps<Name extends string> {
  readonly title: string
  readonly wrong: string | undefined
  readonly names: readonly Name[]
  readonly chosen: readonly Name[]
  readonly onChange: (chosen: readonly Name[]) => void
  readonly wordOf?: (name: Name) => string
}

function CheckGroup<Name extends string>({
  title,
  wrong,
  names,
  chosen,
  onChange,
  wordOf = (name) => name,
}: CheckGroupProps<Name>) {
  return (
    <fieldset className={layout.group}>
      <legend>{title}</legend>
      <div className={layout.checks}>
        {names.map((name) => (
          <CheckField
            key={name}
            label={wordOf(name)}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
      {wrong === undefined ? null : <p role="alert">{wrong}</p>}
    </fieldset>
  )
}
