import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { FiguresReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { Card, Notice } from '../../components/notice.js'
import { useReconnect } from '../../hooks/use-bulk.js'
import { useReplayOfAll } from '../../hooks/use-webhooks.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useWords } from '../../words/index.js'
import { useOverviewWords } from '../../words/overview.js'
import styles from './overview.module.css'
import { type Trouble, TroubledLinks } from './troubled-links.js'

/** Receivers are reported when an event waits for longer. */
const WAITING_SECONDS = 60

interface Need {
  readonly key: string
  readonly text: string
  readonly places?: ReactNode
  /** The button that mends it, where one call does. */
  readonly action?: ReactNode
}

/** What is not as it should be, each with the button that mends it or the place where that is done. */
export function Needs({ figures }: { readonly figures: FiguresReply }) {
  const words = useFleetWords()
  const titleId = useId()
  const needs = useNeeds(figures)
  return (
    <section aria-labelledby={titleId} className={styles.needs}>
      <h2 id={titleId}>{words.needs}</h2>
      {needs.length === 0 ? <Notice>{words.noNeeds}</Notice> : null}
      {needs.map(({ key, text, places, action }) => (
        <Card key={key}>
          <div className={styles.need}>
            <div>
              <p>{text}</p>
              {places}
            </div>
            {action}
          </div>
        </Card>
      ))}
    </section>
  )
}

function useNeeds({ instances, webhooks, minutes, troubled }: FiguresReply): readonly Need[] {
  const words = useFleetWords()
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0)
  const places = (trouble: Trouble) => <TroubledLinks troubled={troubled} trouble={trouble} />
  const ofAll = troubled?.some(({ id, deadLetters }) => id === null && deadLetters > 0) === true
  return [
    ...(instances.missing === 0
      ? []
      : [{ key: 'missing', text: words.missing(instances.missing), action: <Reconnect /> }]),
    ...(webhooks.oldestWaitingSeconds < WAITING_SECONDS
      ? []
      : [
          {
            key: 'waiting',
            text: words.waiting(webhooks.waiting, Math.round(webhooks.oldestWaitingSeconds / 60)),
            places: places('waiting'),
          },
        ]),
    ...(webhooks.deadLetters === 0
      ? []
      : [
          {
            key: 'deadLetters',
            text: words.deadLetters(webhooks.deadLetters),
            places: places('deadLetters'),
            ...(ofAll ? { action: <ReplayOfAll /> } : {}),
          },
        ]),
    ...(failed === 0 ? [] : [{ key: 'failedSends', text: words.failedSends(failed), places: places('failedSends') }]),
  ]
}

/** Connects all instances that should be connected. */
function Reconnect() {
  const words = useOverviewWords()
  const common = useWords()
  const reconnect = useReconnect()
  return (
    <div className={styles.action}>
      <Button look="main" isBusy={reconnect.isPending} onClick={() => reconnect.mutate()}>
        {words.reconnect}
      </Button>
      <Link to="/instances" search={{ missing: true }}>
        {common.pages.instances}
      </Link>
      {reconnect.data === undefined ? null : <span role="status">{words.reconnecting(reconnect.data)}</span>}
      {reconnect.error === null ? null : <Failure error={reconnect.error} />}
    </div>
  )
}

/** Delivers the dead letters of the webhook of all instances again. */
function ReplayOfAll() {
  const words = useOverviewWords()
  const replay = useReplayOfAll()
  return (
    <div className={styles.action}>
      <Button look="main" isBusy={replay.isPending} onClick={() => replay.mutate()}>
        {words.replayOfAll}
      </Button>
      {replay.data === undefined ? null : <span role="status">{words.replayed(replay.data.replayed)}</span>}
      {replay.error === null ? null : <Failure error={replay.error} />}
    </div>
  )
}
