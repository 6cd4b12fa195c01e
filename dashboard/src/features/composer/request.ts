/** The call that sends a draft. */
import { type Content, isMixed, makeCarousel, makeContent } from './content.js'
import type { Draft } from './draft.js'

export interface SendOptions {
  /** Seconds of typing before the message. */
  readonly delaySeconds: string
  readonly mentions: string
  /** Local time, as an input of the kind `datetime-local` has it; empty: now. */
  readonly sendAt: string
  readonly timezone: string
  readonly trackId: string
  readonly readChat: boolean
}

export const makeNoOptions = (timezone: string): SendOptions => ({
  delaySeconds: '',
  mentions: '',
  sendAt: '',
  timezone,
  trackId: '',
  readChat: false,
})

const OPERATIONS = {
  text: ['sendText', '/send/text'],
  media: ['sendMedia', '/send/media'],
  location: ['sendLocation', '/send/location'],
  contact: ['sendContact', '/send/contact'],
  menu: ['sendMenu', '/send/menu'],
  carousel: ['sendCarousel', '/send/carousel'],
  pix: ['sendPixButton', '/send/pix-button'],
} as const

export type SendOperation = (typeof OPERATIONS)[keyof typeof OPERATIONS][0]

export interface SendCall extends Pick<Content, 'files' | 'places'> {
  readonly operation: SendOperation
  readonly path: string
  /** A local file stands in it as its mark. */
  readonly body: Readonly<Record<string, unknown>>
}

export function makeSendCall(draft: Draft, number: string, options: SendOptions, replyId?: string): SendCall {
  const isCarousel = isMixed(draft)
  const { type, fields, files, places } = isCarousel ? makeCarousel(draft) : makeContent(draft)
  const [operation, path] = OPERATIONS[isCarousel ? 'carousel' : chooseRoute(draft.kind)]
  const hasType = operation === 'sendMedia' || operation === 'sendMenu'
  // Long fields are last, so that one sees in the line for the shell to whom it goes.
  const body = { number, ...(hasType ? { type } : {}), ...makeOptionFields(options, replyId), ...fields }
  return { operation, path, body, files, places }
}

function chooseRoute(kind: Draft['kind']): keyof typeof OPERATIONS {
  switch (kind) {
    case 'text':
    case 'location':
    case 'contact':
    case 'pix':
      return kind
    case 'button':
    case 'list':
    case 'poll':
    case 'carousel':
      return 'menu'
    default:
      return 'media'
  }
}

function makeOptionFields(options: SendOptions, replyId?: string): Record<string, unknown> {
  const { delaySeconds, mentions, sendAt, timezone, trackId, readChat } = options
  const delay = Math.round(Number(delaySeconds.replace(',', '.')) * 1_000)
  return {
    ...(replyId === undefined ? {} : { replyid: replyId }),
    ...(delay > 0 ? { delay } : {}),
    ...(mentions.trim() === '' ? {} : { mentions: mentions.trim() }),
    ...(sendAt === '' ? {} : { send_at: sendAt, timezone }),
    ...(trackId.trim() === '' ? {} : { track_id: trackId.trim() }),
    ...(readChat ? { readchat: true } : {}),
  }
}
