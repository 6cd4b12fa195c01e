import { useId, useState } from 'react'
import type { DeadLetter, ReplayWebhookRequest, Webhook } from '../../../../schemas/generated.js'
import { buildShownCall, type ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { CheckField } from '../../components/field.js'
import { JsonView } from '../../components/json-view.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import { formatExactTime } from '../../format/time.js'
import { useSentence } from '../../hooks/use-sentences.js'
import {
  DEAD_LETTERS,
  type DeadLetterFilter,
  useDeadLetters,
  useReplay,
  type WebhookOwner,
} from '../../hooks/use-webhooks.js'
import { useLanguage, useWords } from '../../words/index.js'
import { warningSentences } from '../../words/sentences/warnings.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { DeadLetterFilters } from './dead-letter-filters.js'
import { FailureReason } from './failure-reason.js'

interface DeadLettersProps {
  readonly owner: WebhookOwner
  readonly webhooks: readonly Webhook[]
  readonly filter: DeadLetterFilter
  readonly onFilter: (filter: DeadLetterFilter) => void
}

/** A replay that waits for its confirmation. */
interface Asked {
  readonly count: number
  readonly request: ReplayWebhookRequest
}

/** Deliveries that were given up: filtered, opened, and replayed one, some or all that fit. */
export function DeadLetters({ owner, webhooks, filter, onFilter }: DeadLettersProps) {
  const words = useWords()
  const hook = useWebhookWords()
  const titleId = useId()
  const [offset, setOffset] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const { data, error, refetch } = useDeadLetters(owner, filter, offset)
  const only = webhooks.length === 1 ? webhooks[0]?.id : undefined
  const webhookId = filter.webhookId ?? only
  const rows = data?.deadletters ?? []
  const total = data?.total ?? 0
  const choose = (next: DeadLetterFilter) => {
    setOffset(0)
    setChosen(new Set())
    onFilter(next)
  }
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{hook.dead}</h2>
        <Button onClick={() => void refetch()}>{hook.reload}</Button>
      </div>
      <p>{hook.deadHelp}</p>
      <DeadLetterFilters owner={owner} webhooks={webhooks} filter={filter} onFilter={choose} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : total === 0 ? (
        <Notice>{Object.keys(filter).length === 0 ? hook.noDead : hook.noDeadFit}</Notice>
      ) : (
        <>
          <p role="status">{hook.matching(total)}</p>
          <ReplayMany
            isGlobal={owner.isGlobal}
            webhookId={webhookId}
            filter={filter}
            chosen={chosen}
            total={total}
            onAsk={setAsked}
          />
          <Rows
            titleId={titleId}
            rows={rows}
            chosen={chosen}
            onChosen={setChosen}
            onReplay={({ webhook_id, eventId }) =>
              setAsked({
                count: 1,
                request: owner.isGlobal ? { ids: [eventId] } : { webhookId: webhook_id, ids: [eventId] },
              })
            }
          />
          <div className={layout.row}>
            {offset === 0 ? null : (
              <Button onClick={() => setOffset(Math.max(0, offset - DEAD_LETTERS))}>{hook.newer}</Button>
            )}
            {data.hasMore ? <Button onClick={() => setOffset(data.nextOffset)}>{hook.older}</Button> : null}
          </div>
        </>
      )}
      <Replay
        owner={owner}
        asked={asked}
        onClose={() => setAsked(undefined)}
        onReplayed={() => {
          setChosen(new Set())
          setOffset(0)
        }}
      />
    </Card>
  )
}

interface ReplayManyProps {
  readonly isGlobal: boolean
  readonly webhookId: string | undefined
  readonly filter: DeadLetterFilter
  readonly chosen: ReadonlySet<string>
  readonly total: number
  readonly onAsk: (asked: Asked) => void
}

/** Buttons for the chosen dead letters, and for all that fit: the gateway takes those of one webhook at a time. */
function ReplayMany({ isGlobal, webhookId, filter, chosen, total, onAsk }: ReplayManyProps) {
  const hook = useWebhookWords()
  const target = isGlobal || webhookId === undefined ? {} : { webhookId }
  const { webhookId: _, ...rest } = filter
  return (
    <div className={layout.row}>
      <Button
        disabled={chosen.size === 0}
        onClick={() =>
          chosen.size === 0 ? undefined : onAsk({ count: chosen.size, request: { ...target, ids: [...chosen] } })
        }
      >
        {hook.replaySome(chosen.size)}
      </Button>
      {isGlobal || webhookId !== undefined ? (
        <Button
          onClick={() =>
            onAsk({
              count: total,
              request: { ...rest, ...target },
            })
          }
        >
          {hook.replayAll(total)}
        </Button>
      ) : (
        <span className={layout.muted}>{hook.oneEndpoint}</span>
      )}
    </div>
  )
}

interface RowsProps {
  readonly titleId: string
  readonly rows: readonly DeadLetter[]
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly onReplay: (letter: DeadLetter) => void
}

function Rows({ titleId, rows, chosen, onChosen, onReplay }: RowsProps) {
  const hook = useWebhookWords()
  const language = useLanguage()
  const [open, setOpen] = useState<DeadLetter | undefined>(undefined)
  const toggle = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) isOn ? next.add(id) : next.delete(id)
    onChosen(next)
  }
  return (
    <>
      <CheckField
        label={hook.chooseAll}
        checked={rows.length > 0 && rows.every(({ eventId }) => chosen.has(eventId))}
        onChange={({ target }) =>
          toggle(
            rows.map(({ eventId }) => eventId),
            target.checked,
          )
        }
      />
      <DataTable
        labelledBy={titleId}
        heads={[hook.event, hook.when, hook.status, hook.attempts, hook.error, hook.open]}
        rows={rows}
        row={(letter) => ({
          key: `${letter.webhook_id} ${letter.eventId}`,
          cells: [
            <label key="choose">
              <input
                type="checkbox"
                aria-label={hook.choose(letter.event, formatExactTime(new Date(letter.diedAt), language))}
                checked={chosen.has(letter.eventId)}
                onChange={({ target }) => toggle([letter.eventId], target.checked)}
              />{' '}
              {letter.event}
            </label>,
            <Moment key="when" at={letter.diedAt} language={language} />,
            letter.status_code === 0 ? hook.noAnswer : letter.status_code,
            letter.attempts,
            <FailureReason key="error" code={letter.code} status={letter.status_code} error={letter.error} />,
            <div key="open" className={layout.row}>
              <Button onClick={() => setOpen(letter)}>{hook.open}</Button>
              <Button onClick={() => onReplay(letter)}>{hook.replayOne}</Button>
            </div>,
          ],
        })}
      />
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={hook.deliveryTitle(open?.event ?? '')}
      >
        <JsonView value={open?.payload} />
      </Dialog>
    </>
  )
}

interface ReplayProps {
  readonly owner: WebhookOwner
  readonly asked: Asked | undefined
  readonly onClose: () => void
  readonly onReplayed: () => void
}

function Replay({ owner, asked, onClose, onReplayed }: ReplayProps) {
  const hook = useWebhookWords()
  const replay = useReplay(owner)
  const say = useSentence(warningSentences)
  return (
    <>
      {replay.data === undefined ? null : (
        <Notice>
          <p>{hook.replayed(replay.data.replayed, replay.data.remaining)}</p>
          {replay.data.warnings?.map((warning) => (
            <p key={warning}>{say(warning)}</p>
          ))}
        </Notice>
      )}
      <Confirm
        isOpen={asked !== undefined}
        onClose={onClose}
        title={hook.replayTitle(asked?.count ?? 0)}
        action={hook.replay}
        isBusy={replay.isPending}
        error={replay.error}
        onConfirm={() => {
          if (asked === undefined) return
          replay.mutate(asked.request, {
            onSuccess: () => {
              onClose()
              onReplayed()
            },
          })
        }}
        call={buildReplayCall(owner, asked?.request ?? {})}
      >
        <p>{hook.replayHelp}</p>
      </Confirm>
    </>
  )
}

function buildReplayCall({ isGlobal }: WebhookOwner, { webhookId, ...body }: ReplayWebhookRequest): ShownCall {
  return isGlobal
    ? buildShownCall('replayGlobalWebhook', { body }, 'admintoken')
    : buildShownCall('replayWebhook', { body: webhookId === undefined ? body : { ...body, webhookId } })
}
