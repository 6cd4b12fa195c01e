import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useInboxWords } from '../../words/inbox.js'
import styles from './emoji.module.css'
import { type EmojiGroup, emojiGroups, readRecent, rememberEmoji } from './emojis.js'

/** Emoji in a line, as the styles draw them. */
const COLUMNS = 8

interface EmojiPickerProps {
  readonly onChoose: (emoji: string) => void
  readonly onClose: () => void
}

/** Emoji by groups. Arrows move through them, Enter takes one, Escape closes. */
export function EmojiPicker({ onChoose, onClose }: EmojiPickerProps) {
  const inbox = useInboxWords()
  const [recent] = useState(readRecent)
  const [group, setGroup] = useState<EmojiGroup | 'recent'>(recent.length > 0 ? 'recent' : 'faces')
  const place = useRef<HTMLDivElement>(null)
  const shown = group === 'recent' ? recent : emojiGroups[group]
  const names = [...(recent.length > 0 ? (['recent'] as const) : []), ...(Object.keys(emojiGroups) as EmojiGroup[])]
  useClosing(place, onClose)
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('[data-emoji]')?.focus()
  }, [])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return onClose()
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key]
    const all = [...(place.current?.querySelectorAll<HTMLElement>('[data-emoji]') ?? [])]
    const now = all.indexOf(event.target as HTMLElement)
    if (step === undefined || now < 0) return
    event.preventDefault()
    all[Math.max(0, Math.min(all.length - 1, now + step))]?.focus()
  }
  return (
    <div ref={place} role="dialog" aria-label={inbox.emoji} className={styles.picker} onKeyDown={onKey}>
      <div className={styles.groups}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={inbox.emojiGroups[name]}
            title={inbox.emojiGroups[name]}
            aria-pressed={name === group}
            onClick={() => setGroup(name)}
          >
            {name === 'recent' ? '🕘' : emojiGroups[name][0]}
          </button>
        ))}
      </div>
      <div className={styles.grid}>
        {shown.map((emoji, at) => (
          <button
            key={emoji}
            type="button"
            data-emoji=""
            tabIndex={at === 0 ? 0 : -1}
            onClick={() => {
              rememberEmoji(emoji)
              onChoose(emoji)
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </div>
  )
}

/** Closes when a person clicks beside the picker. */
function useClosing(place: { readonly current: HTMLElement | null }, onClose: () => void): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    const onDown = ({ target }: PointerEvent) => {
      const isOpener = target instanceof Element && target.closest('[aria-haspopup]') !== null
      if (target instanceof Node && !place.current?.contains(target) && !isOpener) latest.current()
    }
    document.addEventListener('pointerdown', onDown)
    return () => document.removeEventListener('pointerdown', onDown)
  }, [place])
}
