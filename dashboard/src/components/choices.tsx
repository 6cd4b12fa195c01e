import styles from './layout.module.css'

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly options: readonly (readonly [value: Value, word: string])[]
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

/** Some choices of which one holds, such as the views of a page. */
export function Choices<Value extends string>({ label, options, chosen, onChoose }: ChoicesProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className={styles.chips} role="group" aria-label={label}>
      {options.map(([value, word]) => (
        <button
          key={value}
          type="button"
          className={styles.chip}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  )
}
