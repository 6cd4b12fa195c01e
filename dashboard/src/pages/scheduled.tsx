import { useNavigate, useSearch } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { Message } from '../../../schemas/generated.js'
import { Problem } from '../api/problem.js'
import { buildShownCall } from '../api/shown-call.js'
import { Button } from '../components/button.js'
import { Confirm } from '../components/confirm.js'
import { DataTable } from '../components/data-table.js'
import { Dialog } from '../components/dialog.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { InputField, SelectField, TextField } from '../components/field.js'
import { Card } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { ShowCurl } from '../components/show-curl.js'
import { Composer } from '../features/composer/composer.js'
import composerStyles from '../features/composer/composer.module.css'
import { ZoneField } from '../features/composer/options-part.js'
import { formatLocalTime, readOwnZone } from '../format/local-time.js'
import { formatExactTime } from '../format/time.js'
import { showUnseen } from '../format/visible.js'
import { useChatNames } from '../hooks/use-chat-names.js'
import { maySend } from '../hooks/use-instance.js'
import { useCancelScheduled, useEditScheduled, useLiveScheduled, useScheduled } from '../hooks/use-scheduled.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import type { ScheduledState } from '../routes.js'
import { useLanguage, useWords } from '../words/index.js'
import { useScheduledWords } from '../words/scheduled/index.js'

const STATES: readonly ScheduledState[] = ['scheduled', 'failed', 'canceled', 'all']
const HOUR_MS = 3_600_000

/** Messages that wait for their time, and those that were taken back or failed. */
export function Scheduled() {
  const common = useWords()
  const words = useScheduledWords()
  const titleId = useId()
  const { id, credential } = useThisInstance()
  const { state = 'scheduled', to = '' } = useSearch({ from: '/instances/$id/scheduled' })
  const navigate = useNavigate({ from: '/instances/$id/scheduled' })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useScheduled(id, credential, state)
  useLiveScheduled(id)
  const messages = data?.pages.flatMap((page) => page.messages)
  return (
    <>
      <PageHeader titleId={titleId} title={words.title} about={common.abouts.scheduled} />
      <SelectField
        label={words.state}
        value={state}
        onChange={({ target }) =>
          void navigate({ search: (before) => ({ ...before, state: target.value as ScheduledState }), replace: true })
        }
      >
        {STATES.map((one) => (
          <option key={one} value={one}>
            {words.states[one]}
          </option>
        ))}
      </SelectField>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {messages?.length === 0 ? <Empty state={state} /> : null}
      {messages === undefined || messages.length === 0 ? null : <List titleId={titleId} messages={messages} />}
      {hasNextPage ? (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      ) : null}
      {maySend() ? <NewOne to={to} /> : null}
    </>
  )
}

function Empty({ state }: { readonly state: ScheduledState }) {
  const words = useScheduledWords()
  return (
    <EmptyState icon={Clock} title={state === 'scheduled' ? words.none : words.noMatch}>
      {state === 'scheduled' && maySend() ? words.noneHelp : null}
    </EmptyState>
  )
}

function List({ titleId, messages }: { readonly titleId: string; readonly messages: readonly Message[] }) {
  const words = useScheduledWords()
  const language = useLanguage()
  const { id, credential } = useThisInstance()
  const [edited, setEdited] = useState<Message>()
  const [canceled, setCanceled] = useState<Message>()
  const cancel = useCancelScheduled(id, credential)
  const getName = useChatNames(messages.flatMap((one: Partial<Message> | null) => one?.chatid ?? []))
  const when = ({ schedule, messageTimestamp }: Message) =>
    formatExactTime(new Date(schedule?.send_at ?? messageTimestamp), language)
  return (
    <>
      <DataTable
        labelledBy={titleId}
        heads={[words.when, words.to, words.what, words.status, ...(maySend() ? [words.actions] : [])]}
        rows={messages}
        row={(message) => ({
          key: message.messageid,
          cells: [
            <When key="when" message={message} />,
            <bdi key="to" title={message.chatid}>
              {getName(message.chatid)}
            </bdi>,
            <bdi key="what">{showUnseen((message.text ?? '').slice(0, 300)) || message.messageType}</bdi>,
            describeState(message, words.states),
            ...(maySend()
              ? [
                  message.status === 'scheduled' ? (
                    <span key="actions" className={composerStyles.inline}>
                      <Button onClick={() => setEdited(message)}>{words.edit}</Button>
                      <Button look="danger" onClick={() => setCanceled(message)}>
                        {words.cancel}
                      </Button>
                    </span>
                  ) : (
                    ''
                  ),
                ]
              : []),
          ],
        })}
      />
      {edited === undefined ? null : (
        <EditDialog key={edited.messageid} message={edited} onClose={() => setEdited(undefined)} />
      )}
      {canceled === undefined ? null : (
        <Confirm
          isOpen
          onClose={() => setCanceled(undefined)}
          title={words.cancelTitle}
          action={words.cancel}
          isBusy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate(canceled.messageid, { onSuccess: () => setCanceled(undefined) })}
          call={buildShownCall('cancelScheduled', { query: { id: canceled.messageid } })}
        >
          <p>
            <bdi>{words.cancelHelp(getName(canceled.chatid), when(canceled))}</bdi>
          </p>
        </Confirm>
      )}
    </>
  )
}

function When({ message: { schedule, messageTimestamp } }: { readonly message: Message }) {
  const words = useScheduledWords()
  const language = useLanguage()
  if (schedule === undefined) return formatExactTime(new Date(messageTimestamp), language)
  const { send_at: at, asked, timezone } = schedule
  return (
    <>
      <time dateTime={String(at)}>{formatExactTime(new Date(at), language)}</time>
      {timezone === undefined || timezone === '' ? null : <small> ({words.asked(String(asked), timezone)})</small>}
    </>
  )
}

function EditDialog({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const words = useScheduledWords()
  const common = useWords()
  const { id, credential } = useThisInstance()
  const edit = useEditScheduled(id, credential)
  const { schedule } = message
  const [zone, setZone] = useState(schedule?.timezone || readOwnZone())
  const first = formatLocalTime(new Date(schedule?.send_at ?? Date.now()), zone)
  const [sendAt, setSendAt] = useState(first)
  const [text, setText] = useState(message.text ?? '')
  const fields = edit.error instanceof Problem ? edit.error.fields : {}
  const isMoved = sendAt !== first || zone !== (schedule?.timezone || readOwnZone())

  const body = {
    id: message.messageid,
    revision: schedule?.revision ?? 1,
    ...(isMoved ? { send_at: sendAt, timezone: zone } : {}),
    ...(text === (message.text ?? '') ? {} : { text }),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!edit.isPending) edit.mutate(body, { onSuccess: onClose })
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.editTitle}>
      <form className={composerStyles.editor} onSubmit={submit}>
        <InputField
          label={words.when}
          type="datetime-local"
          required
          wrong={fields.send_at}
          value={sendAt}
          onChange={({ target }) => setSendAt(target.value)}
        />
        <ZoneField value={zone} wrong={fields.timezone} onChange={setZone} />
        {message.text === undefined || message.text === '' ? null : (
          <TextField
            label={words.text}
            rows={4}
            maxLength={65_536}
            wrong={fields.text}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {edit.error === null ? null : <Failure error={edit.error} />}
        <div className={composerStyles.inline}>
          <ShowCurl call={buildShownCall('editScheduled', { body })} />
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="main" isBusy={edit.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function NewOne({ to: first }: { readonly to: string }) {
  const words = useScheduledWords()
  const titleId = useId()
  const [to, setTo] = useState(first)
  const [inAnHour] = useState(() => formatLocalTime(new Date(Date.now() + HOUR_MS), readOwnZone()))
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.new}</h2>
      <InputField
        label={words.newTo}
        help={words.newToHelp}
        required
        maxLength={100}
        autoComplete="off"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <Composer chatId={to.trim()} sendAt={inAnHour} />
    </Card>
  )
}

function describeState({ status }: Message, states: Readonly<Record<string, string>>): string {
  return states[status] ?? status
}
