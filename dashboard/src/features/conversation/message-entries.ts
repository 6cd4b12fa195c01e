import type { Message } from '../../../../schemas/generated.js'
import type { MenuEntry, MenuRow } from '../../components/menu.js'
import { editsOf } from '../../hooks/message-window.js'
import { mayReadAll, maySend } from '../../hooks/use-instance.js'
import type { ConversationWords } from '../../words/conversation/en.js'

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
const WITH_FILE = new Set(['image', 'video', 'document', 'audio', 'sticker'])
const NOT_LEFT = new Set(['scheduled', 'queued'])
const ENDED = new Set(['failed', 'canceled', 'deleted'])

/** Returns true for a message that has not left: taking it back tells nobody. */
export function isWaiting({ status }: Message): boolean {
  return NOT_LEFT.has(status)
}

/** What is asked before it is done, or shown in a dialog. */
export type Asked = 'edit' | 'delete' | 'curl' | 'trace'

interface Actions {
  readonly onReply: () => void
  readonly onAsk: (what: Asked) => void
  readonly onReact: (emoji: string) => void
  readonly onRead: () => void
  readonly onDownload: () => void
}

/** Returns the entries of the menu of a message: what its kind and its state allow to this token. */
export function messageEntries(
  message: Message,
  said: ConversationWords,
  { onReply, onAsk, onReact, onRead, onDownload }: Actions,
): readonly (MenuEntry | MenuRow)[] {
  const { fromMe, messageType, status } = message
  const mayWrite = maySend() && !ENDED.has(status)
  const text = editsOf(message).at(-1)?.text ?? message.text ?? ''
  const entry = (isFor: boolean, name: string, onChoose: () => void): readonly MenuEntry[] =>
    isFor ? [{ text: name, onChoose }] : []
  const reactions = EMOJIS.map((emoji) => ({
    text: emoji,
    name: `${said.react}: ${emoji}`,
    onChoose: () => onReact(emoji),
  }))
  return [
    ...(mayWrite && !fromMe ? [{ row: said.react, entries: reactions }] : []),
    ...entry(mayWrite && !fromMe, said.takeBack, () => onReact('')),
    ...entry(mayWrite, said.reply, onReply),
    ...entry(mayWrite && fromMe && messageType === 'text' && !isWaiting(message), said.edit, () => onAsk('edit')),
    ...entry(mayWrite && !fromMe && messageType !== 'unreadable', said.markRead, onRead),
    ...entry(text !== '', said.copyText, () => void navigator.clipboard?.writeText(text).catch(() => undefined)),
    ...entry(WITH_FILE.has(messageType) && status !== 'deleted', said.download, onDownload),
    ...entry(Boolean(message.ai_metadata?.agent_id) && mayReadAll(), said.trace, () => onAsk('trace')),
    ...entry(true, said.asCurl, () => onAsk('curl')),
    ...entry(mayWrite && fromMe, isWaiting(message) ? said.cancelSend : said.delete, () => onAsk('delete')),
  ]
}
