import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { TextField } from '../../components/field.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import { listFittingNames, openPlaceholder } from './placeholders.js'

interface TextBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly wrong?: string | undefined
  readonly maxLength: number
  readonly rows?: number
  readonly isRequired?: boolean
  /** Names that complete after `{{`. */
  readonly names: readonly string[]
  /** Sends by Enter; Shift and Enter make a new line. */
  readonly isSentByEnter?: boolean
}

const SHOWN_MAX = 8

/** A text that completes the names of placeholders. */
export function TextBox({
  label,
  value,
  onChange,
  names,
  isSentByEnter = false,
  rows = 3,
  isRequired = true,
  ...rest
}: TextBoxProps) {
  const listId = useId()
  const place = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const open = caret === null ? null : openPlaceholder(value, caret)
  const offered = open === null ? [] : listFittingNames(names, open.part).slice(0, SHOWN_MAX)
  const chosen = Math.min(active, offered.length - 1)

  function complete(name: string): void {
    if (open === null || caret === null) return
    const before = `${value.slice(0, open.start)}{{${name}}}`
    onChange(before + value.slice(caret).replace(/^\}{1,2}/, ''))
    setCaret(null)
    const box = place.current?.querySelector('textarea')
    // The browser puts the caret to the end when the value changes.
    requestAnimationFrame(() => {
      box?.focus()
      box?.setSelectionRange(before.length, before.length)
    })
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing) return
    if (offered.length === 0) {
      if (isSentByEnter && event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((chosen + step + offered.length) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') complete(offered[chosen] ?? '')
    else if (event.key === 'Escape') setCaret(null)
    else return
    event.preventDefault()
  }

  return (
    <div ref={place} className={styles.textBox}>
      <TextField
        {...rest}
        label={label}
        rows={rows}
        required={isRequired}
        value={value}
        aria-autocomplete="list"
        aria-controls={offered.length === 0 ? undefined : listId}
        aria-activedescendant={offered.length === 0 ? undefined : `${listId}-${chosen}`}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          onChange(target.value)
          setCaret(target.selectionStart)
          setActive(0)
        }}
        onBlur={() => setCaret(null)}
      />
      {offered.length === 0 ? null : <Names id={listId} names={offered} chosen={chosen} onChoose={complete} />}
    </div>
  )
}

interface NamesProps {
  readonly id: string
  readonly names: readonly string[]
  readonly chosen: number
  readonly onChoose: (name: string) => void
}

function Names({ id, names, chosen, onChoose }: NamesProps) {
  const composer = useComposerWords()
  return (
    <div id={id} role="listbox" aria-label={composer.placeholders} className={styles.names}>
      {names.map((name, index) => (
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // The pointer must not take the focus out of the text.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(name)
          }}
        >
          <bdi>{`{{${name}}}`}</bdi>
        </div>
      ))}
    </div>
  )
}
