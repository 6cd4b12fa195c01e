import { useState } from 'react'
import { Button } from '../../components/button.js'
import layout from '../../components/layout.module.css'
import { useCampaignWords } from '../../words/campaigns/index.js'
import type { Draft } from '../composer/draft.js'
import { MessageEditor } from '../composer/message-editor.js'
import { chatPlaceholders } from '../composer/placeholders.js'
import { Preview } from '../composer/preview.js'

interface MessageStepProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly wrong: (place: string) => string | undefined
  /** Values of the first recipients. */
  readonly samples: readonly Readonly<Record<string, string>>[]
  readonly fieldNames: readonly string[]
}

/** Writes the message, and shows what each of the first people gets. */
export function MessageStep({ draft, change, wrong, samples, fieldNames }: MessageStepProps) {
  const words = useCampaignWords()
  const [row, setRow] = useState(0)
  const names = [
    ...new Set([
      ...Object.keys(samples[0] ?? {}).filter((name) => name !== 'number'),
      ...chatPlaceholders,
      ...fieldNames,
    ]),
  ]
  return (
    <div className={layout.columns}>
      <MessageEditor draft={draft} change={change} wrong={wrong} names={names} />
      <div className={layout.form}>
        <div className={layout.row}>
          <Button disabled={row === 0} onClick={() => setRow(Math.max(0, row - 1))}>
            {words.before}
          </Button>
          <span role="status">{words.rowOf(row + 1, samples.length)}</span>
          <Button disabled={row >= samples.length - 1} onClick={() => setRow(Math.min(samples.length - 1, row + 1))}>
            {words.after}
          </Button>
        </div>
        <Preview draft={draft} values={samples[row] ?? {}} />
      </div>
    </div>
  )
}
