import type { StoreStateRecord } from '../../../../schemas/generated.js'
import { Notice } from '../../components/notice.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useLanguage } from '../../words/index.js'

const DAY_MS = 24 * 60 * 60_000
/** A loss is shown for so long. `GET /admin/nodes` has it for ever. */
const SHOWN_MS = 30 * DAY_MS

/** Says when PostgreSQL is not the one that all nodes use, or has lost commits. Shows nothing in good times. */
export function StoreNotice({ store: { state, wentBack } }: { readonly store: StoreStateRecord }) {
  const words = useFleetWords()
  const language = useLanguage()
  const time = (at: string | null): string =>
    at === null ? words.unknownTime : formatExactTime(new Date(at), language)
  const isRecent = wentBack !== null && Date.now() - Date.parse(wentBack.noticedAt) < SHOWN_MS
  return (
    <>
      {state === 'current' ? null : <Notice look="bad">{words.storeStates[state]}</Notice>}
      {isRecent ? (
        <Notice look="bad">
          {words.storeWentBack[wentBack.cause](time(wentBack.lostFrom), time(wentBack.lostUntil))}{' '}
          {words.storeNoticed(time(wentBack.noticedAt), showUnseen(wentBack.noticedBy))}
        </Notice>
      ) : null}
    </>
  )
}
