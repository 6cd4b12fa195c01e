import type { ImportCampaignReply } from '../../../../schemas/generated.js'
import { formatDuration } from '../../format/duration.js'
import { makeDateFormat } from '../../format/formats.js'
import { useCourseWords } from '../../words/campaign-course.js'
import { useLanguage } from '../../words/index.js'

const HOUR_MS = 3_600_000

/** Says how many messages of a campaign leave today, why the others wait, and when the last one leaves. */
export function Outlook({ today }: { readonly today: NonNullable<ImportCampaignReply['today']> }) {
  const words = useCourseWords()
  const { leaving, waiting, reason, ends } = today
  return (
    <>
      <p>{waiting === 0 ? words.allToday(leaving) : words.someToday(leaving, waiting)}</p>
      {reason === null ? null : <p>{words.waits[reason] ?? words.other}</p>}
      <Ending ends={ends ?? null} isAsked={waiting > 0 || leaving > 1} />
    </>
  )
}

interface EndingProps {
  readonly ends: string | null
  /** False where an unknown end is not worth a sentence. */
  readonly isAsked?: boolean
}

/** Says when the last message leaves. */
export function Ending({ ends, isAsked = false }: EndingProps) {
  const words = useCourseWords()
  const language = useLanguage()
  if (ends === null) return isAsked ? <p>{words.endUnknown}</p> : null
  const end = new Date(ends)
  const leftMs = end.getTime() - Date.now()
  const when = makeDateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(end)
  if (leftMs < HOUR_MS / 60) return <p>{words.endsSoon(when)}</p>
  return <p>{words.ends(when, formatDuration(roundMs(leftMs), language))}</p>
}

/** Rounds to whole days, below a day to whole hours, and below two hours to minutes. */
function roundMs(ms: number): number {
  const unit = ms >= 24 * HOUR_MS ? 24 * HOUR_MS : ms > 2 * HOUR_MS ? HOUR_MS : HOUR_MS / 60
  return Math.round(ms / unit) * unit
}
