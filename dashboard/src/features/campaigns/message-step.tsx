import { useState } from 'react'
import { Button } from '../../components/button.js'
import layout from '../../components/layout.module.css'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { type Draft, hasText } from '../composer/draft.js'
import { MessageEditor } from '../composer/message-editor.js'
import { chatPlaceholders } from '../composer/placeholders.js'
import { Preview } from '../composer/preview.js'
import { type Variant, Variants } from './variants.js'

interface MessageStepProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly variants: readonly Variant[]
  readonly onVariants: (variants: readonly Variant[]) => void
  readonly wrong: (place: string) => string | undefined
  /** Values of the first recipients. */
  readonly samples: readonly Readonly<Record<string, string>>[]
  readonly fieldNames: readonly string[]
}

/** Writes the message, and shows what each of the first people gets. */
export function MessageStep(props: MessageStepProps) {
  const { draft, change, variants, onVariants, wrong, samples, fieldNames } = props
  const words = useCampaignWords()
  const [row, setRow] = useState(0)
  // People get the texts by chance; the preview shows one after the other.
  const texts = hasText(draft.kind) ? [draft.text, ...variants.map(({ text }) => text)] : []
  const names = [
    ...new Set([
      ...Object.keys(samples[0] ?? {}).filter((name) => name !== 'number'),
      ...chatPlaceholders,
      ...fieldNames,
    ]),
  ]
  return (
    <div className={layout.columns}>
      <div className={layout.form}>
        <MessageEditor draft={draft} change={change} wrong={wrong} names={names} onlyPictures />
        {hasText(draft.kind) && draft.kind !== 'poll' ? (
          <Variants variants={variants} onChange={onVariants} names={names} wrong={wrong} />
        ) : null}
      </div>
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
        <Preview
          draft={texts.length > 1 ? { ...draft, text: texts[row % texts.length] ?? '' } : draft}
          values={samples[row] ?? {}}
        />
      </div>
    </div>
  )
}
