import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.js'
import { makeLate } from './late.js'
import { useWasTrue } from './use-was-true.js'

const MenuPopup = makeLate<MenuProps>(async () => (await import('./menu-popup.js')).MenuPopup, { isAhead: true })

export interface MenuEntry {
  readonly text: string
  /** Name for screen readers, where the text does not say it. */
  readonly name?: string
  /** Whether the entry holds now, in a menu of which one entry holds. */
  readonly isChosen?: boolean
  readonly icon?: LucideIcon
  /** True for what takes away. */
  readonly isDanger?: boolean
  readonly onChoose: () => void
  /** Returns what gets the focus after the choice, where it is not the button of the menu. */
  readonly focus?: () => HTMLElement | null
}

/** Entries that stand beside each other. */
export interface MenuRow {
  readonly row: string
  readonly entries: readonly MenuEntry[]
}

/** Entries under a title, below a line. Of those that have `isChosen` one holds. */
export interface MenuGroup {
  readonly group: string
  readonly entries: readonly MenuEntry[]
}

export interface MenuProps {
  readonly label: string
  /** The button at which the menu stands; null: it is closed. */
  readonly anchor: HTMLElement | null
  readonly entries: readonly (MenuEntry | MenuRow | MenuGroup)[]
  readonly onClose: () => void
}

/** A menu at a button. It takes the focus, gives it back, and closes by Escape. Pages open without its code. */
export function Menu(props: MenuProps) {
  // One that was open stays, so that it can give the focus back.
  const wasOpen = useWasTrue(props.anchor !== null)
  return wasOpen ? <MenuPopup {...props} /> : null
}

interface MenuButtonProps extends Pick<MenuProps, 'entries'> {
  readonly text: string
  readonly icon?: LucideIcon
  /** Name for screen readers, where the text does not say it. */
  readonly name?: string
}

/** A button with a menu. The arrow downwards opens it too. */
export function MenuButton({ text, icon, name, entries }: MenuButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        {...(icon && { icon })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={name}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setAnchor(event.currentTarget)
        }}
      >
        {text}
      </Button>
      <Menu label={name ?? text} anchor={anchor} entries={entries} onClose={() => setAnchor(null)} />
    </>
  )
}
