/** The Chatwoot of an instance, as the API sees it. Types only. */
import type { IncomingHttpHeaders } from 'node:http'
import type { InstanceId } from '../ids.js'

/** `ok`, or why nothing is carried. */
export type ChatwootState = 'ok' | 'auth_failed' | 'inbox_gone' | 'unreachable' | 'busy' | 'refused'

export interface ChatwootInput {
  readonly enabled: boolean
  readonly url: string
  /** The token, or its mask to leave it as it is. */
  readonly accessToken: string
  readonly accountId: number
  /** Undefined: the inbox has the name `inboxName`. */
  readonly inboxId: number | undefined
  readonly inboxName?: string | undefined
  /** Makes the inbox if none has the name. */
  readonly createsInbox?: boolean
  readonly ignoreGroups?: boolean
  readonly signMessages?: boolean
  readonly createNewConversation?: boolean
  /** Takes another inbox although conversations of the present one are linked. */
  readonly relink?: boolean
}

export interface ChatwootShown {
  readonly enabled: boolean
  readonly url: string
  readonly accountId: number
  readonly inboxId: number
  readonly tokenMask: string
  readonly ignoreGroups: boolean
  readonly signMessages: boolean
  readonly createNewConversation: boolean
  readonly webhookUrl: string
  /** True when webhooks are taken only with a signature. */
  readonly isSigned: boolean
  readonly state: ChatwootState
  readonly lastError: string
  readonly lastSent: Date | null
  readonly lastReceived: Date | null
  /** Replies of agents that wait, that failed, and that were found too late. */
  readonly repliesWaiting: number
  readonly repliesFailed: number
  readonly repliesMissed: number
  /** Id of the receiver, for its dead letters and deliveries. */
  readonly webhookId: string
}

export interface ChatwootDirectory {
  /** Null when there is none. */
  show(instance: InstanceId): Promise<ChatwootShown | null>
  /**
   * Checks address, token, account and inbox in this order, sets the webhook of the inbox, and writes the settings. Sentences for the caller
   * are added to `warnings`.
   * @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED, CHATWOOT_REFUSED, CHATWOOT_UNREACHABLE, CHATWOOT_LINKED
   */
  set(instance: InstanceId, input: ChatwootInput, warnings: string[]): Promise<ChatwootShown>
  /** Checks a webhook of Chatwoot before its body is read. @throws GatewayError CHATWOOT_WEBHOOK_REFUSED, STORE_UNAVAILABLE */
  admit(instance: string, secret: string, headers: IncomingHttpHeaders): Promise<void>
  /**
   * Takes a webhook of Chatwoot. It is stored when this resolves.
   * @throws GatewayError CHATWOOT_WEBHOOK_REFUSED, CHATWOOT_OFF, MALFORMED_JSON, QUEUE_FULL, STORE_UNAVAILABLE
   */
  receive(instance: string, secret: string, headers: IncomingHttpHeaders, body: Buffer): Promise<void>
}
