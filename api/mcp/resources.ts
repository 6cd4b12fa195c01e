/** Gives chats as resources: one for each chat, with its newest messages. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Limit } from '../../schemas/errors.js'
import type { FindChatsReply, FindMessagesReply } from '../../schemas/generated.js'
import type { ApiState } from '../context.js'
import type { McpOptions } from '../options.js'
import type { RateLimiter } from '../rate-limits.js'
import type { Caller } from '../route.js'
import { findChats } from '../routes/chat/find.js'
import { findMessages } from '../routes/message/find.js'
import type { ToolSchemas } from './tool.js'
import { maySee } from './tool.js'
import { readMessages } from './tools/read-messages.js'
import type { ToolParts } from './use-tool.js'
import { chatView, messageViews } from './views.js'

// Bound: 1,048,576, a body or header of a request.

const PREFIX = 'posthorn://chats/'
const PAGE = 50
const TYPE = { mimeType: 'application/json' }

export interface Resources {
  templates(): ResourceTemplateType[]
  list(cursor: string | undefined): Promise<{ resources: Resource[]; nextCursor?: string }>
  read(uri: string): Promise<ReadResourceResult>
}

export function createResources({ caller, state }: Visitor, { sdk, ask }: Pick<ServerParts, 'sdk' | 'ask'>): Resources {
  return {
    templates() {
      if (!maySee(readMessages, caller.key)) return []
      const description = 'Newest messages of a chat, by its JID or number.'
      return [{ uriTemplate: `${PREFIX}{chat}`, name: 'chat', title: 'Chat', description, ...TYPE }]
    },

    async list(cursor) {
      if (caller.key?.chat) return { resources: maySee(readMessages, caller.key) ? [toResource(caller.key.chat)] : [] }
      const offset = parseOffset(cursor)
      const { reply } = await ask(findChats, { caller, state, body: { limit: PAGE, offset } })
      const { chats, pagination } = reply as FindChatsReply
      const next = offset + chats.length
      return {
        // Their names are words of other people, and clients show names of resources as if they were ours.
        resources: chats.map((chat) => toResource(chatView(chat).chat)),
        ...(chats.length > 0 && next < pagination.totalRecords ? { nextCursor: String(next) } : {}),
      }
    },

    async read(uri) {
      const chat = parseChat(uri)
      const { reply } = await ask(findMessages, { caller, state, body: { chatid: chat, limit: PAGE } })
      const { messages, older } = reply as FindMessagesReply
      const text = JSON.stringify({ chat, messages: messageViews(messages), older })
      return { contents: [{ uri, ...TYPE, text }] }
    },
  }

  function parseOffset(cursor: string | undefined): number {
    if (cursor === undefined) return 0
    if (!/^\d{1,7}$/.test(cursor))
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'The cursor does not belong to this list.')
    return Number(cursor)
  }

  function parseChat(uri: string): string {
    const encoded = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : ''
    try {
      const chat = decodeURIComponent(encoded)
      if (chat !== '' && chat.length <= 100) return chat
    } catch {
      // Says the same as of any other wrong address.
    }
    throw new sdk.ResourceNotFoundError(uri.slice(0, 200), `A resource is ${PREFIX} and a JID or number.`)
  }
}

function toResource(chat: string): Resource {
  return { uri: `${PREFIX}${encodeURIComponent(chat)}`, name: chat, ...TYPE }
}

export type Sdk = typeof import('@modelcontextprotocol/server')

export interface ServerParts extends ToolParts {
  readonly sdk: Sdk
  readonly schemas: ToolSchemas
  readonly calls: RateLimiter
  readonly logger: Logger
  readonly observe: McpOptions['observe']
  readonly refused: ((limit: Limit) => void) | undefined
}

/** The caller of a request, and the state that its log lines and commands carry. */
export interface Visitor {
  readonly caller: Caller
  readonly state: ApiState
}
