import type { Chat, Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { readLabels } from '../../hooks/chat-filter.js'
import { findOnlyChat, mayManageChats } from '../../hooks/rights.js'
import { useChangeChat, useLabels } from '../../hooks/use-conversation.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { Avatar } from './avatar.js'
import styles from './conversation.module.css'
import { Gallery } from './gallery.js'
import { CloseIcon, IconButton } from './icon-button.js'
import { LeadPart } from './lead-part.js'
import { describeChat, formatJid } from './names.js'
import { Part } from './part.js'

const HOUR_MS = 3_600_000
/** A pause without an end: nobody waits for that time. */
const FOR_GOOD_MS = 10 * 365 * 24 * HOUR_MS
const GROUPS_MAX = 50

interface PersonProps {
  readonly chat: Chat
  /** Opens a picture or video in the viewer. */
  readonly onOpen: (message: Message) => void
  readonly onClose: () => void
}

/** What is known of the person or group of a chat. */
export function Person({ chat, onOpen, onClose }: PersonProps) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const change = useChangeChat(chat.wa_chatid)
  const { wa_chatid: id, wa_chatlid: lid = '', wa_name: name = '', wa_contactName: saved = '', phone = '' } = chat
  const groups = (chat.common_groups || chat.wa_common_groups || '').split(/,(?=[^()]*\([^()]*\))/).filter(Boolean)
  const names = [saved, name].filter((one) => one !== '' && one !== chat.name)
  return (
    <aside className={styles.person} aria-label={said.person}>
      <div>
        <IconButton label={said.close} onClick={onClose}>
          <CloseIcon size={22} />
        </IconButton>
      </div>
      <div className={styles.face}>
        <Avatar
          chatId={id}
          name={describeChat(chat)}
          isGroup={chat.wa_isGroup === true}
          size={96}
          hasPicture={findOnlyChat() === null}
        />
        <h2>
          <bdi>{describeChat(chat)}</bdi>
        </h2>
        {names.map((one) => (
          <p key={one}>
            <bdi>{showUnseen(one.slice(0, 200))}</bdi>
          </p>
        ))}
        {chat.wa_isGroup ? null : <p>{phone === '' ? formatJid(id) : showUnseen(phone)}</p>}
      </div>
      {change.error === null ? null : <Failure error={change.error} />}
      <Labels chat={chat} change={change} />
      <LeadPart chat={chat} />
      <Chatbot chat={chat} change={change} />
      {groups.length === 0 ? null : (
        <Part title={said.commonGroups}>
          <ul>
            {groups.slice(0, GROUPS_MAX).map((group) => (
              <li key={group}>
                <bdi>{showUnseen(describeGroup(group).slice(0, 300))}</bdi>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Gallery chatId={id} onOpen={onOpen} />
      <details className={styles.muted}>
        <summary>{inbox.ids}</summary>
        <code>{showUnseen(id)}</code> {lid === '' || lid === id ? null : <code>{showUnseen(lid)}</code>}
      </details>
    </aside>
  )
}

interface ChangeableProps {
  readonly chat: Chat
  readonly change: ReturnType<typeof useChangeChat>
}

function Labels({ chat, change }: ChangeableProps) {
  const said = useConversationWords()
  const { data: labels } = useLabels()
  if (labels === undefined) return null
  const own = readLabels(chat)
  const shown = mayManageChats() ? labels : labels.filter(({ labelid }) => own.includes(labelid))
  return (
    <Part title={said.labels}>
      {shown.length === 0 ? <p className={styles.muted}>{said.noLabels}</p> : null}
      <ul className={styles.labels}>
        {shown.map(({ labelid, name }) => (
          <li key={labelid}>
            {mayManageChats() ? (
              <label>
                <input
                  type="checkbox"
                  checked={own.includes(labelid)}
                  aria-busy={change.isPending}
                  onChange={({ target }) =>
                    change.isPending ? undefined : change.mutate({ kind: 'label', label: labelid, on: target.checked })
                  }
                />{' '}
                <bdi>{showUnseen(name.slice(0, 100))}</bdi>
              </label>
            ) : (
              <bdi>{showUnseen(name.slice(0, 100))}</bdi>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Chatbot({ chat, change }: ChangeableProps) {
  const said = useConversationWords()
  const language = useLanguage()
  const until = chat.chatbot_disableUntil ?? 0
  const isPaused = until > Date.now()
  const set = (at: number) => change.mutate({ kind: 'lead', fields: { chatbot_disableUntil: at } })
  return (
    <Part title={said.chatbot}>
      <p role="status">
        {isPaused
          ? until - Date.now() > FOR_GOOD_MS / 2
            ? said.chatbotOffForGood
            : said.chatbotOff(formatExactTime(new Date(until), language))
          : said.chatbotOn}
      </p>
      {mayManageChats() ? (
        <div className={layout.chips}>
          {isPaused ? (
            <Button onClick={() => set(0)}>{said.resume}</Button>
          ) : (
            <>
              <Button onClick={() => set(Date.now() + HOUR_MS)}>{said.pause1}</Button>
              <Button onClick={() => set(Date.now() + 24 * HOUR_MS)}>{said.pause24}</Button>
              <Button onClick={() => set(Date.now() + FOR_GOOD_MS)}>{said.pauseAlways}</Button>
            </>
          )}
        </div>
      ) : null}
    </Part>
  )
}

/** A group in common is written `name(id)`. */
function describeGroup(group: string): string {
  return (
    group
      .trim()
      .replace(/\([^()]*@g\.us\)$/, '')
      .trim() || group.trim()
  )
}
