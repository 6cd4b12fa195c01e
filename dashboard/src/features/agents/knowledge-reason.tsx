import { Original } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { useKnowledgeReason } from '../../words/agents/knowledge-reasons.js'

interface KnowledgeReasonProps {
  readonly code: string
  /** English text of the gateway or the provider. */
  readonly text: string
}

/** Why knowledge was not read or has no vectors, in the language of the reader; the English text is below. */
export function KnowledgeReason({ code, text }: KnowledgeReasonProps) {
  const sentence = useKnowledgeReason()(code)
  return (
    <>
      {sentence === '' ? null : <p className={layout.muted}>{sentence}</p>}
      <Original text={text} />
    </>
  )
}
