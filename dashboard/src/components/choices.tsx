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
    <div className="flex w-fit max-w-full flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5" role="group" aria-label={label}>
      {options.map(([value, word]) => (
        <button
          key={value}
          type="button"
          className="min-h-8 rounded-md px-3 py-0.5 text-muted hover:text-text aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-text aria-pressed:shadow-control"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  )
}
