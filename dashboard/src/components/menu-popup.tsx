import { Menu as Parts } from '@base-ui/react/menu'
import { useRef } from 'react'
import type { MenuEntry, MenuGroup, MenuProps, MenuRow } from './menu.js'
import styles from './menu.module.css'

/** Draws a menu. */
export function MenuPopup({ label, anchor, entries, onClose }: MenuProps) {
  const last = useRef(anchor)
  if (anchor !== null) last.current = anchor
  /** What gets the focus in the place of the button. */
  const next = useRef<MenuEntry['focus']>(undefined)
  const noted = entries.map((one) =>
    'focus' in one
      ? {
          ...one,
          onChoose: () => {
            next.current = one.focus
            one.onChoose()
          },
        }
      : one,
  )
  return (
    <Parts.Root open={anchor !== null} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Positioner className={styles.place} anchor={last.current} align="end" sideOffset={4}>
          <Parts.Popup className={styles.menu} aria-label={label} finalFocus={() => takeFocus(next) ?? last.current}>
            <Entries entries={noted} />
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  )
}

function takeFocus(next: { current: MenuEntry['focus'] }): HTMLElement | null {
  const target = next.current?.() ?? null
  next.current = undefined
  return target
}

function Entries({ entries }: Pick<MenuProps, 'entries'>) {
  const choices = entries.filter(isChoice)
  if (choices.length > 0) return <Choices choices={choices} />
  return entries.map((one, place) =>
    'row' in one ? (
      <Parts.Group key={one.row} className={styles.row} aria-label={one.row}>
        {one.entries.map(drawEntry)}
      </Parts.Group>
    ) : 'group' in one ? (
      <Group key={one.group} group={one} isFirst={place === 0} />
    ) : (
      drawEntry(one)
    ),
  )
}

function Group({ group, isFirst }: { readonly group: MenuGroup; readonly isFirst: boolean }) {
  const choices = group.entries.filter(isChoice)
  return (
    <>
      {isFirst ? null : <Parts.Separator className={styles.line} />}
      <Parts.Group>
        <Parts.GroupLabel className={styles.title}>{group.group}</Parts.GroupLabel>
        {choices.length > 0 ? <Choices choices={choices} /> : group.entries.map(drawEntry)}
      </Parts.Group>
    </>
  )
}

function Choices({ choices }: { readonly choices: readonly MenuEntry[] }) {
  return (
    <Parts.RadioGroup
      value={choices.findIndex(({ isChosen }) => isChosen === true)}
      onValueChange={(place: number) => choices[place]?.onChoose()}
    >
      {choices.map(({ text, name, icon: Icon }, place) => (
        <Parts.RadioItem key={text} value={place} closeOnClick className={styles.item} aria-label={name}>
          {Icon === undefined ? null : <Icon size={16} aria-hidden />}
          {text}
        </Parts.RadioItem>
      ))}
    </Parts.RadioGroup>
  )
}

function drawEntry({ text, name, icon: Icon, isDanger = false, onChoose }: MenuEntry) {
  return (
    <Parts.Item
      key={text}
      className={`${styles.item} ${isDanger ? styles.danger : ''}`}
      aria-label={name}
      onClick={onChoose}
    >
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      {text}
    </Parts.Item>
  )
}

function isChoice(one: MenuEntry | MenuRow | MenuGroup): one is MenuEntry {
  return !('row' in one) && !('group' in one) && one.isChosen !== undefined
}
