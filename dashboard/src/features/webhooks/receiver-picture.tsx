import type { Delivery } from '../../../../schemas/generated.js'
import { Strip } from '../../components/charts/strip.js'
import layout from '../../components/layout.module.css'
import { delayText } from '../../format/duration.js'
import { exactTime } from '../../format/time.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { useReceiverWords } from '../../words/webhooks/receivers.js'

interface ReceiverPictureProps {
  /** The newest first. */
  readonly deliveries: readonly Delivery[]
}

const LOOKS = { delivered: 'good', waiting: 'open', failed: 'bad', dead: 'bad' } as const

/** The newest deliveries to a receiver: which of them it took, and how long it needed. */
export function ReceiverPicture({ deliveries }: ReceiverPictureProps) {
  const hook = useWebhookWords()
  const words = useReceiverWords()
  const language = useLanguage()
  const number = useNumbers()
  const durations = deliveries
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((one, other) => one - other)
  const taken = deliveries.filter(({ state }) => state === 'delivered').length
  const ended = deliveries.filter(({ state }) => state !== 'waiting').length
  const shown = (ms: number | undefined) => delayText((ms ?? 0) / 1_000, language)
  const [half, slowest] = [shown(durations[Math.floor((durations.length - 1) / 2)]), shown(durations.at(-1))]
  if (deliveries.length === 0) return null
  return (
    <div className={layout.form}>
      <p className={layout.row}>
        <span>{hook.answered(taken, ended)}</span>
        {durations.length === 0 ? null : <span className={layout.muted}>{words.durations(half, slowest)}</span>}
      </p>
      <Strip
        label={words.strip(number(deliveries.length))}
        bars={deliveries.toReversed().map(({ id, created, event, state, durationMs }) => ({
          key: id,
          value: durationMs ?? 0,
          look: LOOKS[state],
          title: [
            exactTime(new Date(created), language),
            event,
            hook.states[state],
            ...(durationMs === null ? [] : [shown(durationMs)]),
          ].join(', '),
        }))}
      />
    </div>
  )
}
