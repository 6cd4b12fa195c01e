import { fieldLimits } from '../../api/limits.js'
import { InputField } from '../../components/field.js'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { BuilderRows } from '../composer/builder-rows.js'
import { type Draft, hasText, makeRowKey } from '../composer/draft.js'
import { replaceRow } from '../composer/rows.js'
import { TextBox } from '../composer/text-box.js'

export interface Variant {
  readonly key: string
  readonly text: string
  readonly weight: string
}

/** The gateway takes twenty texts, of which one stands in the message. */
const VARIANTS_MAX = 19
const WEIGHT_MAX = 1_000

interface VariantsProps {
  readonly variants: readonly Variant[]
  readonly onChange: (variants: readonly Variant[]) => void
  readonly names: readonly string[]
  readonly wrong: (place: string) => string | undefined
}

/** Other texts of the message. Each person gets one of them. */
export function Variants({ variants, onChange, names, wrong }: VariantsProps) {
  const words = useCampaignWords()
  return (
    <>
      {variants.length === 0 ? null : <p>{words.variantsHelp}</p>}
      <BuilderRows
        rows={variants}
        onChange={onChange}
        min={0}
        max={VARIANTS_MAX}
        name={(number) => words.variant(number + 1)}
        add={words.addVariant}
        create={() => ({ key: makeRowKey(), text: '', weight: '1' })}
        wrongAt={(index) => wrong(`variants[${index + 1}].text`)}
      >
        {(variant, index) => (
          <>
            <TextBox
              label={words.variantText}
              isRequired
              maxLength={fieldLimits.text.text.maxLength}
              names={names}
              value={variant.text}
              onChange={(text) => onChange(replaceRow(variants, index, { ...variant, text }))}
            />
            <InputField
              label={words.share}
              help={words.shareHelp}
              type="number"
              required
              min={1}
              max={WEIGHT_MAX}
              value={variant.weight}
              onChange={({ target }) => onChange(replaceRow(variants, index, { ...variant, weight: target.value }))}
            />
          </>
        )}
      </BuilderRows>
    </>
  )
}

/** Returns the field of the call. The text of the message is the first one, with the share 1. */
export function makeVariantFields(
  { kind, text }: Draft,
  variants: readonly Variant[],
): Readonly<Record<string, unknown>> {
  if (!hasText(kind) || variants.length === 0) return {}
  return {
    variants: [
      { text, weight: 1 },
      ...variants.map((variant) => ({ text: variant.text, weight: Number(variant.weight) })),
    ],
  }
}
