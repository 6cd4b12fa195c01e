import { EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Confirm } from '../../components/confirm.js'
import { Menu, type MenuEntry } from '../../components/menu.js'
import { mayManageChats } from '../../hooks/rights.js'
import type { ChatChange, useChangeChat } from '../../hooks/use-conversation.js'
import { maySend } from '../../hooks/use-instance.js'
import type { ConversationWords } from '../../words/conversation/en.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { IconButton } from './icon-button.js'
import { describeChat } from './names.js'

interface ChatMenuProps {
  readonly chat: Chat | undefined
  readonly change: ReturnType<typeof useChangeChat>
  /** Entries before those that change the chat. */
  readonly first: readonly MenuEntry[]
}

/** The actions on a chat. */
export function ChatMenu({ chat, change, first }: ChatMenuProps) {
  const said = useConversationWords()
  const [isBlocking, setBlocking] = useState(false)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton label={said.actions} hasPopup="menu" isOpen={anchor !== null} onClick={setAnchor}>
        <EllipsisVertical size={20} aria-hidden="true" />
      </IconButton>
      <Menu
        label={said.actions}
        anchor={anchor}
        entries={[...first, ...(chat === undefined ? [] : listChanges(chat, change, said, () => setBlocking(true)))]}
        onClose={() => setAnchor(null)}
      />
      {chat === undefined ? null : (
        <Confirm
          isOpen={isBlocking}
          onClose={() => setBlocking(false)}
          title={said.blockTitle(describeChat(chat))}
          action={said.block}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ kind: 'block', on: true }, { onSuccess: () => setBlocking(false) })}
          call={buildShownCall('blockPerson', { body: { number: chat.wa_chatid, block: true } })}
        >
          <p>{said.blockHelp}</p>
        </Confirm>
      )}
    </>
  )
}

/** Returns the entries that change a chat, as far as the signed-in person may. */
function listChanges(
  chat: Chat,
  change: ChatMenuProps['change'],
  said: ConversationWords,
  onBlock: () => void,
): readonly MenuEntry[] {
  const { wa_isPinned: isPinned, wa_archived: isArchived, wa_isBlocked: isBlocked, wa_isGroup: isGroup } = chat
  const isMuted = (chat.wa_muteEndTime ?? 0) !== 0
  const entry = (text: string, what: ChatChange): MenuEntry => ({ text, onChoose: () => change.mutate(what) })
  return [
    ...(maySend()
      ? [entry(said.chatRead, { kind: 'read', on: true }), entry(said.chatUnread, { kind: 'read', on: false })]
      : []),
    ...(mayManageChats()
      ? [
          entry(isPinned ? said.unpin : said.pin, { kind: 'pin', on: !isPinned }),
          entry(isArchived ? said.unarchive : said.archive, { kind: 'archive', on: !isArchived }),
          ...(isMuted
            ? [entry(said.unmute, { kind: 'mute', hours: 0 })]
            : [
                entry(said.mute8, { kind: 'mute', hours: 8 }),
                entry(said.muteWeek, { kind: 'mute', hours: 168 }),
                entry(said.muteAlways, { kind: 'mute', hours: -1 }),
              ]),
        ]
      : []),
    ...(mayManageChats() && isGroup !== true
      ? [
          isBlocked === true
            ? entry(said.unblock, { kind: 'block', on: false })
            : { text: said.block, onChoose: onBlock },
        ]
      : []),
  ]
}
