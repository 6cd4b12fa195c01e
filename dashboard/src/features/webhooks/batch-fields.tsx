import { useState } from 'react'
import type { WebhookBatch } from '../../../../schemas/generated.js'
import { InputField } from '../../components/field.js'
import { useWebhookWords } from '../../words/webhooks/index.js'

/** A batch as it is typed. Without a maximum there is none. */
interface TypedBatch {
  readonly max: string
  readonly waitMs: string
}

/** State of the fields of a batch, and the batch that they name. */
export function useBatch(batch: WebhookBatch | undefined) {
  const [typed, setTyped] = useState<TypedBatch>({ max: formatNumber(batch?.max), waitMs: formatNumber(batch?.waitMs) })
  const named: WebhookBatch = typed.max === '' ? null : { max: Number(typed.max), waitMs: Number(typed.waitMs) }
  return { typed, setTyped, named }
}

interface BatchFieldsProps {
  readonly typed: TypedBatch
  readonly wrong: string | undefined
  readonly onChange: (typed: TypedBatch) => void
}

export function BatchFields({ typed, wrong, onChange }: BatchFieldsProps) {
  const hook = useWebhookWords()
  return (
    <>
      <InputField
        label={hook.batchMax}
        help={hook.batchMaxHelp}
        wrong={wrong}
        type="number"
        min={2}
        max={500}
        value={typed.max}
        onChange={({ target }) => onChange({ ...typed, max: target.value })}
      />
      {typed.max === '' ? null : (
        <InputField
          label={hook.batchWait}
          type="number"
          min={0}
          max={5_000}
          required
          value={typed.waitMs}
          onChange={({ target }) => onChange({ ...typed, waitMs: target.value })}
        />
      )}
    </>
  )
}

function formatNumber(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}
