import { useId } from 'react'
import { Button } from '../../components/button.js'
import { JsonView } from '../../components/json-view.js'
import layout from '../../components/layout.module.css'
import { saveFile } from '../../format/save-file.js'
import { formatSize } from '../../format/size.js'
import { showUnseen } from '../../format/visible.js'
import type { TrialAnswer } from '../../hooks/use-playground.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import { usePlaygroundWords } from '../../words/playground.js'

/** Longest answer that is drawn. A longer one can be saved. */
const DRAWN_MAX = 200_000

/** What an operation answered: its status, how long it took, and what came. */
export function Answer({ answer: { status, ms, type, blob, text, requestId } }: { readonly answer: TrialAnswer }) {
  const words = usePlaygroundWords()
  const language = useLanguage()
  const number = useNumbers()
  const titleId = useId()
  const isDrawn = text !== null && text.length <= DRAWN_MAX
  return (
    <section aria-labelledby={titleId} className={layout.form}>
      <div className={layout.row} role="status">
        <h3 id={titleId}>{words.answer}</h3>
        <span className={`${layout.tag} ${status < 400 ? layout.good : layout.bad}`}>{status}</span>
        <span>{words.took(number(ms))}</span>
        {requestId === '' ? null : <code className={layout.muted}>{showUnseen(requestId)}</code>}
      </div>
      {isDrawn ? (
        <Drawn text={text} />
      ) : (
        <div className={layout.row}>
          <span>
            {showUnseen(type)}, {formatSize(blob.size, language)}
          </span>
          <Button onClick={() => saveFile(blob, 'answer')}>{words.save}</Button>
        </div>
      )}
    </section>
  )
}

function Drawn({ text }: { readonly text: string }) {
  const words = usePlaygroundWords()
  if (text === '') return <p className={layout.muted}>{words.empty}</p>
  try {
    return <JsonView value={JSON.parse(text)} />
  } catch {
    return <pre className={layout.code}>{showUnseen(text)}</pre>
  }
}
