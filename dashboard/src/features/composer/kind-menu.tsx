import { MenuButton } from '../../components/menu.js'
import { useComposerWords } from '../../words/composer/index.js'
import { type Kind, kinds } from './draft.js'

interface KindMenuProps {
  readonly kind: Kind
  readonly onChange: (kind: Kind) => void
}

/** The "+" of the composer: one entry for each kind of message. */
export function KindMenu({ kind, onChange }: KindMenuProps) {
  const composer = useComposerWords()
  return (
    <MenuButton
      text={`+ ${composer.kinds[kind]}`}
      name={`+ ${composer.kinds[kind]}: ${composer.addKind}`}
      entries={kinds.map((one) => ({
        text: composer.kinds[one],
        isChosen: one === kind,
        onChoose: () => onChange(one),
      }))}
    />
  )
}
