import type { CampaignFolder } from '../../../../schemas/generated.js'
import { useCampaignWords } from '../../words/campaigns/index.js'

/** How many recipients are done with, as a bar and in words. */
export function ProgressLine({ folder }: { readonly folder: CampaignFolder }) {
  const words = useCampaignWords()
  const { log_total: total, log_sucess: sent, log_failed: failed, log_skipped: skipped } = folder
  const done = Math.min(total, sent + failed + skipped)
  const text = words.of(done, total)
  return (
    <span>
      <progress max={Math.max(1, total)} value={done} aria-label={text} /> {text}
    </span>
  )
}
