import {
  Bot,
  CheckCheck,
  Copy,
  Download,
  Eye,
  Forward,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  Reply,
  SquareCheck,
  SquareCode,
  Star,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { Message } from '../../../../schemas/generated.js'
import type { MenuEntry, MenuRow } from '../../components/menu.js'
import { listEdits } from '../../hooks/message-window.js'
import { mayManageChats } from '../../hooks/rights.js'
import { mayReadAll, maySend } from '../../hooks/use-instance.js'
import type { ConversationWords } from '../../words/conversation/en.js'
import type { InboxWords } from '../../words/inbox.js'
import type { PinWords } from '../../words/pins.js'

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
const WITH_FILE = new Set(['image', 'video', 'document', 'audio', 'sticker'])
const NOT_LEFT = new Set(['scheduled', 'queued'])
const ENDED = new Set(['failed', 'canceled', 'deleted'])

/** Returns true for a message that has not left: taking it back tells nobody. */
export function isWaiting({ status }: Message): boolean {
  return NOT_LEFT.has(status)
}

/** Returns true while a message is pinned. */
function isPinned({ pinnedUntil = 0 }: Message): boolean {
  return pinnedUntil > Date.now()
}

/** What is asked before it is done, or shown in a dialog. */
export type Asked = 'edit' | 'delete' | 'curl' | 'trace' | 'receipts' | 'pin'

interface Actions {
  readonly onReply: () => void
  readonly onAsk: (what: Asked) => void
  readonly onReact: (emoji: string) => void
  readonly onRead: () => void
  readonly onDownload: () => void
  readonly onForward: () => void
  readonly onSelect: () => void
  readonly onStar: (on: boolean) => void
  readonly onUnpin: () => void
}

/** Returns the box in which one writes, if the page has one. */
export function findMessageBox(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-composer] textarea')
}

function mayWrite(status: string): boolean {
  return maySend() && !ENDED.has(status)
}

/** Time in which what has closed, such as a dialog, gives the focus to what had it before. */
const GIVEN_BACK_MS = 400

/** Gives the focus to the box, and again if a dialog that closes takes it away, unless the person does something meanwhile. A touch screen would open its keyboard, and gets none. */
export function focusBox(): void {
  if (!matchMedia('(hover: hover)').matches) return
  const take = () => {
    const box = findMessageBox()
    if (box !== null && document.activeElement !== box) box.focus()
  }
  const stop = () => {
    clearTimeout(timer)
    document.removeEventListener('focusin', take)
    for (const name of ['pointerdown', 'keydown'] as const) document.removeEventListener(name, stop, true)
  }
  const timer = setTimeout(stop, GIVEN_BACK_MS)
  document.addEventListener('focusin', take)
  for (const name of ['pointerdown', 'keydown'] as const) document.addEventListener(name, stop, true)
  take()
  if (document.querySelector('[role=dialog]') === null) stop()
}

/** Returns the entries of the menu of a message: what its kind and its state allow to this token. */
export function listMessageEntries(
  message: Message,
  said: ConversationWords,
  inbox: InboxWords,
  pins: PinWords,
  { onReply, onAsk, onReact, onRead, onDownload, onForward, onSelect, onStar, onUnpin }: Actions,
): readonly (MenuEntry | MenuRow)[] {
  const { fromMe, messageType, status, isGroup, starred = false } = message
  const isThere = mayWrite(status) && !isWaiting(message) && messageType !== 'unreadable'
  const text = listEdits(message).at(-1)?.text ?? message.text ?? ''
  const entry = (isFor: boolean, icon: LucideIcon, name: string, onChoose: () => void): readonly MenuEntry[] =>
    isFor ? [{ text: name, icon, onChoose }] : []
  const reactions = EMOJIS.map((emoji) => ({
    text: emoji,
    name: `${said.react}: ${emoji}`,
    onChoose: () => onReact(emoji),
  }))
  return [
    ...(mayWrite(status) && !fromMe ? [{ row: said.react, entries: reactions }] : []),
    ...entry(mayWrite(status) && !fromMe, Undo2, said.takeBack, () => onReact('')),
    ...(mayWrite(status) ? [{ text: said.reply, icon: Reply, onChoose: onReply, focus: findMessageBox }] : []),
    ...entry(isThere && mayReadAll(), Forward, inbox.forward, onForward),
    ...entry(mayWrite(status) && mayReadAll(), SquareCheck, inbox.select, onSelect),
    ...entry(isThere && mayManageChats(), Star, starred ? inbox.unstar : inbox.star, () => onStar(!starred)),
    ...entry(isThere && !isPinned(message), Pin, pins.pin, () => onAsk('pin')),
    ...entry(isThere && isPinned(message), PinOff, pins.unpin, onUnpin),
    ...entry(fromMe && isGroup === true && isThere, Eye, inbox.whoRead, () => onAsk('receipts')),
    ...entry(mayWrite(status) && fromMe && messageType === 'text' && !isWaiting(message), Pencil, said.edit, () =>
      onAsk('edit'),
    ),
    ...entry(mayWrite(status) && !fromMe && messageType !== 'unreadable', CheckCheck, said.markRead, onRead),
    ...entry(text !== '', Copy, said.copyText, () => void navigator.clipboard?.writeText(text).catch(() => undefined)),
    ...entry(WITH_FILE.has(messageType) && status !== 'deleted', Download, said.download, onDownload),
    ...entry(Boolean(message.ai_metadata?.agent_id) && mayReadAll(), Bot, said.trace, () => onAsk('trace')),
    ...entry(true, SquareCode, said.asCurl, () => onAsk('curl')),
    ...entry(mayWrite(status) && fromMe, Trash2, isWaiting(message) ? said.cancelSend : said.delete, () =>
      onAsk('delete'),
    ).map((one) => ({ ...one, isDanger: true })),
  ]
}
