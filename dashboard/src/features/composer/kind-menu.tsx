import { Menu } from '@base-ui/react/menu'
import controls from '../../components/controls.module.css'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import { type Kind, kinds } from './draft.js'

interface KindMenuProps {
  readonly kind: Kind
  readonly onChange: (kind: Kind) => void
}

/** The "+" of the composer: one entry for each kind of message. */
export function KindMenu({ kind, onChange }: KindMenuProps) {
  const composer = useComposerWords()
  return (
    <Menu.Root>
      <Menu.Trigger
        className={`${controls.button} ${styles.add}`}
        aria-label={`+ ${composer.kinds[kind]}: ${composer.addKind}`}
      >
        + {composer.kinds[kind]}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} className={styles.layer}>
          <Menu.Popup className={styles.kinds}>
            <Menu.RadioGroup value={kind} onValueChange={onChange}>
              {kinds.map((one) => (
                <Menu.RadioItem key={one} value={one} closeOnClick className={styles.kind}>
                  {composer.kinds[one]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
