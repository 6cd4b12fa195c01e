import { useId } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure, Original } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import type { Scope } from '../../hooks/use-operation.js'
import { useDeadLetters, useReplay } from '../../hooks/use-webhooks.js'
import { useChatwootWords } from '../../words/chatwoot/index.js'
import { useLanguage } from '../../words/index.js'

/** Messages that were given up, with the reason, and a button that carries them again. */
export function GivenUp({ scope, webhookId }: { readonly scope: Scope; readonly webhookId: string }) {
  const own = useChatwootWords()
  const language = useLanguage()
  const titleId = useId()
  const owner = { ...scope, isGlobal: false }
  const { data, error, refetch } = useDeadLetters(owner, { webhookId }, 0)
  const replay = useReplay(owner)
  const rows = data?.deadletters ?? []
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{own.notCarried}</h2>
        {rows.length === 0 ? null : (
          <Button isBusy={replay.isPending} onClick={() => replay.mutate({ webhookId })}>
            {own.again}
          </Button>
        )}
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {replay.error === null ? null : <Failure error={replay.error} />}
      {replay.isSuccess ? <Notice>{own.carriedAgain(replay.data.replayed)}</Notice> : null}
      {data !== undefined && rows.length === 0 ? <Notice>{own.nothingGivenUp}</Notice> : null}
      {rows.length === 0 ? null : (
        <>
          <p>{own.notCarriedHelp}</p>
          <DataTable
            labelledBy={titleId}
            heads={[own.event, own.when, own.reason]}
            rows={rows}
            row={({ eventId, event, diedAt, error: reason, status_code: status }) => ({
              key: eventId,
              cells: [
                event,
                <Moment key="when" at={diedAt} language={language} />,
                <div key="reason">
                  <p>{status === 0 ? own.notAnswered : own.answeredWith(status)}</p>
                  <Original text={reason} />
                </div>,
              ],
            })}
          />
        </>
      )}
    </Card>
  )
}
