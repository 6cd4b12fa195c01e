import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Notice } from '../../components/notice.js'
import { useDeliveries, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'

/** Share of the newest deliveries that the receiver took, and whether the gateway waits before it tries again. */
export function ReceiverState({ owner, webhookId }: { readonly owner: WebhookOwner; readonly webhookId: string }) {
  const hook = useWebhookWords()
  const language = useLanguage()
  const { data } = useDeliveries(owner, owner.isGlobal ? {} : { webhookId })
  const ended = (data?.pages[0]?.deliveries ?? []).filter(({ state }) => state !== 'waiting')
  const waits = ended.find(({ state }) => state === 'failed')
  if (ended.length === 0) return null
  const taken = ended.filter(({ state }) => state === 'delivered').length
  return (
    <>
      <p>{hook.answered(taken, ended.length)}</p>
      {waits?.nextAttemptAt ? (
        <Notice look="busy">
          <p className={layout.row}>
            {hook.paused} <Moment at={waits.nextAttemptAt} language={language} />
          </p>
        </Notice>
      ) : null}
    </>
  )
}
