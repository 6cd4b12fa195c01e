import { Dialog } from '../../components/dialog.js'
import { useInboxWords } from '../../words/inbox.js'
import styles from './shortcuts.module.css'

type Keys = readonly (readonly [keyof ReturnType<typeof useInboxWords>['shortcutNames'], ...string[]])[]

const ANYWHERE: Keys = [
  ['help', '?'],
  ['search', '/'],
  ['write', 'i'],
  ['nextChat', 'Alt ↓', 'Alt ↑'],
  ['palette', 'Ctrl K'],
  ['leave', 'Esc'],
]
const IN_LIST: Keys = [
  ['move', '↑ ↓', 'j k'],
  ['open', 'Enter'],
]
const IN_MESSAGES: Keys = [
  ['move', '↑ ↓', 'j k'],
  ['actions', 'Enter'],
  ['reply', 'r'],
  ['select', 'x'],
]
const WHILE_WRITING: Keys = [
  ['send', 'Enter'],
  ['newLine', 'Shift Enter'],
  ['quickReply', '/'],
  ['mention', '@'],
  ['placeholder', '{{'],
  ['emoji', 'Ctrl E'],
]

/** The keys of the inbox. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const inbox = useInboxWords()
  const { anywhere, list, messages, write } = inbox.shortcutGroups
  const groups = [
    [anywhere, ANYWHERE],
    [list, IN_LIST],
    [messages, IN_MESSAGES],
    [write, WHILE_WRITING],
  ] as const
  return (
    <Dialog isOpen onClose={onClose} title={inbox.shortcuts}>
      <div className={styles.groups}>
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([name, ...forms]) => (
                <div key={name}>
                  <dt>{inbox.shortcutNames[name]}</dt>
                  <dd>
                    {forms.map((form) => (
                      <kbd key={form}>{form}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
