import type { Webhook } from '../../../../schemas/generated.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Notice } from '../../components/notice.js'
import { useDeliveries, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { ReceiverCourse, ReceiverPicture } from './receiver-picture.js'

type Breaker = NonNullable<Webhook['breaker']>

interface ReceiverStateProps {
  readonly owner: WebhookOwner
  readonly webhook: Webhook
}

/** Share of the newest deliveries that the receiver took, and the state of its circuit breaker while that is not closed. */
export function ReceiverState({ owner, webhook: { id, breaker } }: ReceiverStateProps) {
  const hook = useWebhookWords()
  const language = useLanguage()
  const { data } = useDeliveries(owner, owner.isGlobal ? {} : { webhookId: id })
  const ended = (data?.pages[0]?.deliveries ?? []).filter(({ state }) => state !== 'waiting')
  const waits = ended.find(({ state }) => state === 'failed')
  const isAway = breaker?.state === 'open' || breaker?.state === 'half_open'
  return (
    <>
      <ReceiverPicture deliveries={data?.pages[0]?.deliveries ?? []} />
      <ReceiverCourse owner={owner} webhookId={id} />
      {isAway ? <AwayNotice breaker={breaker} /> : null}
      {!isAway && waits?.nextAttemptAt ? (
        <Notice look="busy">
          <p className={layout.row}>
            {hook.paused} <Moment at={waits.nextAttemptAt} language={language} />
          </p>
        </Notice>
      ) : null}
    </>
  )
}

function AwayNotice({ breaker: { state, since, nextAttemptAt } }: { readonly breaker: Breaker }) {
  const hook = useWebhookWords()
  const language = useLanguage()
  return (
    <Notice look="bad">
      <p>
        <strong>{state === 'half_open' ? hook.breakerTries : hook.breakerOpen}</strong> {hook.breakerHelp}
      </p>
      {since === null ? null : (
        <p className={layout.row}>
          {hook.breakerSince} <Moment at={since} language={language} />
        </p>
      )}
      {state === 'half_open' || nextAttemptAt === null ? null : (
        <p className={layout.row}>
          {hook.next}: <Moment at={nextAttemptAt} language={language} />
        </p>
      )}
    </Notice>
  )
}
