import { Menu as Parts } from '@base-ui/react/menu'
import { useRef } from 'react'
import type { MenuEntry, MenuProps, MenuRow } from './menu.js'
import styles from './menu.module.css'

/** Draws a menu. */
export function MenuPopup({ label, anchor, entries, onClose }: MenuProps) {
  const last = useRef(anchor)
  if (anchor !== null) last.current = anchor
  return (
    <Parts.Root open={anchor !== null} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Positioner className={styles.place} anchor={last.current} align="end" sideOffset={4}>
          <Parts.Popup className={styles.menu} aria-label={label} finalFocus={last}>
            <Entries entries={entries} />
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  )
}

function Entries({ entries }: Pick<MenuProps, 'entries'>) {
  const choices = entries.filter(isChoice)
  if (choices.length > 0) return <Choices choices={choices} />
  return entries.map((one) =>
    isRow(one) ? (
      <Parts.Group key={one.row} className={styles.row} aria-label={one.row}>
        {one.entries.map(drawn)}
      </Parts.Group>
    ) : (
      drawn(one)
    ),
  )
}

function Choices({ choices }: { readonly choices: readonly MenuEntry[] }) {
  return (
    <Parts.RadioGroup
      value={choices.findIndex(({ isChosen }) => isChosen === true)}
      onValueChange={(place: number) => choices[place]?.onChoose()}
    >
      {choices.map(({ text, name }, place) => (
        <Parts.RadioItem key={text} value={place} closeOnClick className={styles.item} aria-label={name}>
          {text}
        </Parts.RadioItem>
      ))}
    </Parts.RadioGroup>
  )
}

function drawn({ text, name, onChoose }: MenuEntry) {
  return (
    <Parts.Item key={text} className={styles.item} aria-label={name} onClick={onChoose}>
      {text}
    </Parts.Item>
  )
}

function isRow(one: MenuEntry | MenuRow): one is MenuRow {
  return 'row' in one
}

function isChoice(one: MenuEntry | MenuRow): one is MenuEntry {
  return !isRow(one) && one.isChosen !== undefined
}
