import { useId } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure, Original } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import type { Scope } from '../../hooks/use-operation.js'
import { useDeliveries } from '../../hooks/use-webhooks.js'
import { useChatwootWords } from '../../words/chatwoot/index.js'
import { useLanguage } from '../../words/index.js'

const SHOWN_MAX = 10

/** The newest messages and changes that were carried to Chatwoot, or wait for it. */
export function Carried({ scope, webhookId }: { readonly scope: Scope; readonly webhookId: string }) {
  const own = useChatwootWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch } = useDeliveries({ ...scope, isGlobal: false }, { webhookId })
  const rows = (data?.pages[0]?.deliveries ?? []).slice(0, SHOWN_MAX)
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{own.carried}</h2>
        <Button onClick={() => void refetch()}>{own.reload}</Button>
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && rows.length === 0 ? <Notice>{own.nothingCarried}</Notice> : null}
      {rows.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[own.event, own.when, own.result, own.reason]}
          rows={rows}
          row={({ id, event, created, state, error: reason, status_code: status }) => ({
            key: id,
            cells: [
              event,
              <Moment key="when" at={created} language={language} />,
              own.results[state] ?? state,
              reason === null ? (
                ''
              ) : (
                <div key="reason">
                  <p>{status ? own.answeredWith(status) : own.notAnswered}</p>
                  <Original text={reason} />
                </div>
              ),
            ],
          })}
        />
      )}
    </Card>
  )
}
