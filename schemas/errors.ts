/** The next step of a caller after an error: none, retry later, retry safely, or check first whether it happened. */
export type Retry = 'never' | 'later' | 'safe' | 'check'

export interface ErrorKind {
  readonly status: number
  readonly retry: Retry
  /** One sentence for people; the text of an answer unless the thrower gives a better one. */
  readonly means: string
}

/** Every code that an answer may carry, in one table (hence its length); `docs/reference/errors.md` is made from it. */
export const errors = {
  INVALID_REQUEST: {
    status: 400,
    retry: 'never',
    means: 'The request does not fit its schema; `details` names each field and why.',
  },
  MALFORMED_JSON: { status: 400, retry: 'never', means: 'The body is not valid JSON.' },
  FORBIDDEN_KEY: {
    status: 400,
    retry: 'never',
    means: 'The body has a key that is never allowed (`__proto__`, `constructor`, `prototype`).',
  },
  MISSING_ID: { status: 400, retry: 'never', means: 'Missing Id in Payload' },
  INVALID_EMOJI: {
    status: 400,
    retry: 'never',
    means: 'The text must be one emoji, or empty to take the reaction back.',
  },
  NOT_OWN_MESSAGE: { status: 400, retry: 'never', means: 'Only messages of this account can be edited or deleted.' },
  NOT_EDITABLE: { status: 400, retry: 'never', means: 'Only texts and captions can be edited.' },
  MESSAGE_ID_USED: { status: 409, retry: 'never', means: 'Another message has this id; nothing was sent.' },
  MESSAGE_NOT_SENT: { status: 409, retry: 'later', means: 'The message has not been sent.' },
  OWN_MESSAGE: { status: 400, retry: 'never', means: 'Only messages of others can be reacted to.' },
  MESSAGE_TOO_OLD: {
    status: 400,
    retry: 'never',
    means: 'The message is too old: reactions end after 7 days, edits after 20 minutes.',
  },
  NOT_A_BUSINESS: { status: 404, retry: 'never', means: 'The account is not a business.' },
  PRODUCT_NOT_FOUND: { status: 404, retry: 'never', means: 'The catalogue has no such product.' },
  NO_RECIPIENTS: { status: 400, retry: 'never', means: 'Nobody would get the status post; `details` says why.' },
  INVALID_NUMBER: { status: 400, retry: 'never', means: 'The number is neither a phone number nor a JID of a chat.' },
  NOT_ON_NETWORK: { status: 404, retry: 'never', means: 'The number has no account on WhatsApp.' },
  USERNAME_KEY_NEEDED: {
    status: 400,
    retry: 'never',
    means: 'The username has a key, and it is missing or wrong: write `@name:key`.',
  },
  INVALID_TOKEN: { status: 401, retry: 'never', means: 'Invalid token' },
  INVALID_ADMIN_TOKEN: { status: 401, retry: 'never', means: 'Invalid admin token' },
  KEY_NOT_ENOUGH: { status: 403, retry: 'never', means: 'The key does not allow this.' },
  KEY_OTHER_CHAT: {
    status: 403,
    retry: 'never',
    means: 'The key is for one chat, and the call is about another, or about more than one.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    retry: 'never',
    means: 'Over MCP: pages of this origin may not call; CORS_ORIGINS names those that may.',
  },
  CONFIRMATION_NEEDED: {
    status: 409,
    retry: 'never',
    means: 'Over MCP: a person must agree first. `confirm` of the answer belongs into the repeated call.',
  },
  KEY_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such key.' },
  PASS_NOT_ENOUGH: {
    status: 403,
    retry: 'never',
    means: 'A pass does not allow this; the token from which it was made does.',
  },
  PASS_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such pass, or it has ended.' },
  TOO_MANY_PASSES: {
    status: 409,
    retry: 'later',
    means: 'Pass limit of the token reached; end one, or wait until one ends by itself.',
  },
  TOO_MANY_KEYS: { status: 409, retry: 'never', means: 'Key limit of the instance reached; delete one.' },
  RECORD_LIMIT: {
    status: 409,
    retry: 'never',
    means: 'Record limit of the instance reached, or the records would hold too much; delete or shorten one.',
  },
  NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such thing.' },
  ROUTE_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such path.' },
  METHOD_NOT_ALLOWED: { status: 405, retry: 'never', means: 'The path does not take this method.' },
  INSTANCE_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such instance.' },
  MESSAGE_NOT_FOUND: { status: 404, retry: 'never', means: 'Message not found' },
  CHAT_NOT_FOUND: { status: 404, retry: 'never', means: 'Chat not found' },
  LID_NOT_FOUND: {
    status: 404,
    retry: 'later',
    means: 'WhatsApp has not told which LID and number belong together here. /chat/check asks it for numbers.',
  },
  LABEL_NOT_FOUND: { status: 404, retry: 'never', means: 'Label not found' },
  FUNCTION_NOT_FOUND: { status: 404, retry: 'never', means: 'Function not found' },
  QUICK_REPLY_NOT_FOUND: { status: 404, retry: 'never', means: 'Quick reply not found' },
  QUICK_REPLY_OF_PHONE: {
    status: 403,
    retry: 'never',
    means: 'The quick reply is one of the phone; it is changed with `onWhatsApp` true, or there.',
  },
  AGENT_NOT_FOUND: { status: 404, retry: 'never', means: 'Agent not found' },
  AGENT_IN_USE: {
    status: 409,
    retry: 'never',
    means: 'A trigger names the agent; `details` names the trigger. Delete it, or give it another agent.',
  },
  TRIGGER_NOT_FOUND: { status: 404, retry: 'never', means: 'Trigger not found' },
  TURN_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such turn of an agent.' },
  TURN_NOT_RETRYABLE: {
    status: 409,
    retry: 'never',
    means: 'The turn was answered or has not ended, or another one of its chat is open.',
  },
  KNOWLEDGE_NOT_FOUND: { status: 404, retry: 'never', means: 'Knowledge not found' },
  NAME_TAKEN: { status: 409, retry: 'never', means: 'Another one has this name.' },
  GROUP_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such group, or this account is not in it.' },
  NOT_GROUP_ADMIN: { status: 403, retry: 'never', means: 'Only admins of the group may do this.' },
  CHANNEL_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such channel.' },
  NOT_CHANNEL_FOLLOWER: { status: 403, retry: 'never', means: 'The account must follow the channel for this.' },
  NOT_CHANNEL_ADMIN: {
    status: 403,
    retry: 'never',
    means: 'Only the owner or an administrator of the channel may do this.',
  },
  CHANNELS_WATCHED_FULL: {
    status: 429,
    retry: 'later',
    means: 'The live updates of 20 channels are renewed already; end one with `minutes: 0` first.',
  },
  CHANNEL_REFUSED: { status: 502, retry: 'never', means: 'WhatsApp refused it; `provider_code` says why.' },
  INVALID_INVITE: { status: 400, retry: 'never', means: 'Invalid invite code' },
  GROUP_REFUSED: { status: 500, retry: 'never', means: 'WhatsApp refused it; `provider_code` says why.' },
  JOB_NOT_FOUND: {
    status: 404,
    retry: 'never',
    means: 'There is no such job; jobs are kept for AUDIT_RETENTION_DAYS.',
  },
  SELECTION_CHANGED: {
    status: 409,
    retry: 'never',
    means: 'The change, or the instances that it is for, are not those of the dry run; make another one.',
  },
  TOO_MANY_JOBS: {
    status: 409,
    retry: 'later',
    means: 'As many changes of many instances are running as may be; wait until one is done, or cancel one.',
  },
  NODE_NOT_FOUND: { status: 404, retry: 'never', means: 'No living node has this id.' },
  DELIVERY_NOT_FOUND: {
    status: 404,
    retry: 'never',
    means: 'There is no such delivery, or it is no longer kept.',
  },
  TOKEN_NOT_KEPT: {
    status: 409,
    retry: 'never',
    means:
      'The gateway has only the hash of this token, since it was made before WEBHOOK_TOKEN was set: rotate the token first.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such webhook.' },
  INSTANCE_NOT_CONNECTED: { status: 409, retry: 'later', means: 'No session' },
  INSTANCE_CONNECTED: {
    status: 409,
    retry: 'never',
    means: 'The instance is connected, or is to be; `stop: true` ends its connection first and keeps its pairing.',
  },
  ACCOUNT_UNAVAILABLE: {
    status: 409,
    retry: 'never',
    means:
      'WhatsApp shows the presence of people only to accounts that are available; POST /instance/presence with `available` first.',
  },
  PROFILE_NAME_UNKNOWN: {
    status: 409,
    retry: 'later',
    means: 'WhatsApp takes a presence only from an account with a profile name, and the phone has not sent it yet.',
  },
  PASSKEY_NOT_AWAITED: {
    status: 409,
    retry: 'never',
    means:
      'The pairing does not wait for this step of the passkey; GET /instance/passkey shows the step that it waits for.',
  },
  INSTANCE_NOT_PAIRED: {
    status: 409,
    retry: 'never',
    means:
      'The instance is not paired: there is nothing to export, to stop or to start. POST /instance/connect pairs it.',
  },
  INSTANCE_EXPORTED: {
    status: 409,
    retry: 'never',
    means: 'The instance was exported to another installation; here it can only be read or deleted.',
  },
  INSTANCE_EXISTS: {
    status: 409,
    retry: 'never',
    means: 'This installation has the instance already, or has had it; nothing was changed.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    retry: 'never',
    means: 'Another instance of this installation has the account already; nothing was changed.',
  },
  INVALID_SESSION: {
    status: 400,
    retry: 'never',
    means: 'The session of the other gateway is incomplete or damaged; `details` names the part; nothing was changed.',
  },
  INVALID_EXPORT: {
    status: 400,
    retry: 'never',
    means: 'The file is not an export that can be read; nothing was changed.',
  },
  SENDS_WAITING: {
    status: 409,
    retry: 'later',
    means: 'Messages of the instance are still to be sent: wait for them, or empty its queue.',
  },
  INSTANCE_LIMIT: { status: 429, retry: 'later', means: 'The server has reached its limit of connected instances.' },
  PAIRING_LIMIT: {
    status: 429,
    retry: 'later',
    means:
      'As many instances as may (QR_INSTANCES_MAX) are in the middle of a pairing; `Retry-After` says when to ask again.',
  },
  RATE_LIMITED: { status: 429, retry: 'later', means: 'Too many requests; `Retry-After` says when to ask again.' },
  CAMPAIGN_EXISTS: { status: 409, retry: 'later', means: 'An unfinished campaign of this instance has the same name.' },
  CAMPAIGN_NOT_FOUND: { status: 404, retry: 'never', means: 'There is no such campaign.' },
  CAMPAIGN_ENDED: { status: 409, retry: 'never', means: 'The campaign has ended, or is being deleted.' },
  CAMPAIGN_OTHER_ACCOUNT: {
    status: 409,
    retry: 'later',
    means: 'The campaign was begun by another account: pair the instance with that account to continue it.',
  },
  IMPORT_RUNNING: {
    status: 409,
    retry: 'later',
    means: 'Another call imports the same list right now; repeat it with its Idempotency-Key.',
  },
  CAMPAIGNS_FULL: {
    status: 429,
    retry: 'later',
    means: 'Limit of campaigns or recipients reached; delete some.',
  },
  QUEUE_FULL: { status: 429, retry: 'later', means: 'The queue of this instance is full.' },
  SCHEDULE_FULL: {
    status: 429,
    retry: 'later',
    means: 'Limit of scheduled messages reached (SCHEDULE_MAX).',
  },
  SCHEDULE_TAKEN: {
    status: 409,
    retry: 'never',
    means: 'The message is no longer scheduled; `status` is its present status.',
  },
  SCHEDULE_CHANGED: {
    status: 409,
    retry: 'never',
    means: 'The scheduled message was changed by another call; `revision` is the present one.',
  },
  QUEUE_BUSY: {
    status: 409,
    retry: 'later',
    means: 'The queue is being emptied, or the send that is under way takes its time.',
  },
  IDEMPOTENCY_CONFLICT: { status: 409, retry: 'never', means: 'The Idempotency-Key was used with another body.' },
  BODY_TOO_LARGE: { status: 413, retry: 'never', means: 'The body is larger than allowed.' },
  HEADERS_TOO_LARGE: { status: 431, retry: 'never', means: 'The request line and headers are larger than allowed.' },
  MALFORMED_HTTP: { status: 400, retry: 'never', means: 'The request is not valid HTTP.' },
  REQUEST_TIMEOUT: { status: 408, retry: 'safe', means: 'The request did not arrive in time; nothing was done.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retry: 'never', means: 'The body must be JSON, sent as application/json.' },
  CHATWOOT_REFUSED: {
    status: 400,
    retry: 'never',
    means: 'Chatwoot does not take these settings; `details` names the field and why.',
  },
  CHATWOOT_UNREACHABLE: {
    status: 502,
    retry: 'later',
    means: 'Chatwoot did not answer at this address, or with an error of its server.',
  },
  CHATWOOT_LINKED: {
    status: 409,
    retry: 'never',
    means: 'Conversations of the present inbox are linked; `relink: true` forgets them and takes the other inbox.',
  },
  CHATWOOT_WEBHOOK_REFUSED: {
    status: 401,
    retry: 'never',
    means: 'The path or the signature of the webhook is wrong, or the signature is older than five minutes.',
  },
  CHATWOOT_OFF: {
    status: 409,
    retry: 'never',
    means: 'The settings are switched off or name another inbox, so this reply of an agent is not sent.',
  },
  URL_NOT_ALLOWED: { status: 400, retry: 'never', means: 'The URL does not lead to a public http or https address.' },
  FETCH_FAILED: { status: 502, retry: 'later', means: 'The URL could not be fetched.' },
  MEDIA_NOT_FOUND: { status: 404, retry: 'never', means: 'The message has no file that could be fetched.' },
  MEDIA_LINK_ENDED: {
    status: 404,
    retry: 'never',
    means: 'The link has ended or does not exist; /message/download gives a new one.',
  },
  MEDIA_TOO_LARGE: { status: 413, retry: 'never', means: 'The file is larger than allowed.' },
  TRANSCRIPTION_REFUSED: {
    status: 422,
    retry: 'never',
    means: 'The recording is not transcribed; `details` says why.',
  },
  TRANSCRIPTION_UNAVAILABLE: {
    status: 502,
    retry: 'later',
    means: 'The provider did not transcribe the recording; `details` says why.',
  },
  MEDIA_TYPE_REFUSED: {
    status: 415,
    retry: 'never',
    means: 'The file is not of a type that can be sent so; `details` says what it is.',
  },
  NOT_SUPPORTED: {
    status: 501,
    retry: 'never',
    means: 'The field or address is known and cannot be served yet; nothing was done.',
  },
  CONVERSION_UNAVAILABLE: {
    status: 501,
    retry: 'never',
    means: 'The file would have to be converted, and there is no ffmpeg on this server.',
  },
  MEDIA_REFUSED: { status: 502, retry: 'never', means: 'WhatsApp does not take this file; nothing was sent.' },
  MEDIA_UPLOAD_FAILED: {
    status: 502,
    retry: 'later',
    means: 'The file could not be brought to WhatsApp; nothing was sent.',
  },
  MEDIA_EXPIRED: { status: 410, retry: 'later', means: 'WhatsApp no longer has the file.' },
  MEDIA_UNAVAILABLE: { status: 502, retry: 'later', means: 'The file could not be fetched from WhatsApp.' },
  MEDIA_FILE_GONE: {
    status: 410,
    retry: 'never',
    means: 'The file that was to be sent is no longer in the storage.',
  },
  MEDIA_STORAGE_UNAVAILABLE: {
    status: 503,
    retry: 'safe',
    means: 'The storage of files does not take or give any at present; nothing was accepted.',
  },
  PAIRING_FAILED: { status: 502, retry: 'later', means: 'WhatsApp refused the pairing.' },
  NETWORK_UNREACHABLE: {
    status: 502,
    retry: 'later',
    means: 'WhatsApp could not be reached; the text names the host and what failed.',
  },
  PROXY_FAILED: {
    status: 502,
    retry: 'later',
    means: 'The proxy of the instance could not be used; the text names the step that failed, `stage` in one word.',
  },
  NOT_LOGGED_IN: {
    status: 503,
    retry: 'safe',
    means: 'The instance is paired and cannot connect to WhatsApp right now; the text says why. Nothing was done.',
  },
  SEND_REFUSED: { status: 502, retry: 'never', means: 'WhatsApp refused the message; `provider_code` says why.' },
  SEND_FAILED: { status: 500, retry: 'never', means: 'Error sending message' },
  MISSING_CALL_ID: { status: 400, retry: 'never', means: 'Missing call id' },
  CALL_RUNNING: {
    status: 409,
    retry: 'later',
    means: 'The account is making a call already; wait until it has ended, or end it with /call/reject.',
  },
  CALL_REJECT_FAILED: { status: 500, retry: 'safe', means: 'error rejecting call' },
  CHANGE_FAILED: { status: 500, retry: 'later', means: 'WhatsApp did not take the change; nothing was changed.' },
  NETWORK_REFUSED: {
    status: 502,
    retry: 'later',
    means: 'WhatsApp refused the request; `provider_code` says why. Nothing was changed.',
  },
  KEYS_MISSING: {
    status: 409,
    retry: 'later',
    means: 'The phone has not shared the key of its settings yet; open the app on it and ask again.',
  },
  HISTORY_RUNNING: {
    status: 409,
    retry: 'later',
    means: 'Messages of the past are on their way from the phone; ask again when they have come.',
  },
  OUTCOME_UNKNOWN: {
    status: 504,
    retry: 'check',
    means: 'Asked of WhatsApp or of the store, and not answered: it may or may not have happened.',
  },
  INSTANCE_MOVING: {
    status: 503,
    retry: 'safe',
    means: 'The instance is moving or starting; `Retry-After` says when to ask again.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    retry: 'safe',
    means: 'The store does not take writes at present; nothing was accepted.',
  },
  NOT_OWNER: { status: 503, retry: 'safe', means: 'This node no longer owns the instance.' },
  NODE_BUSY: {
    status: 503,
    retry: 'safe',
    means: 'The node that owns the instance takes no more calls at present; nothing was done.',
  },
  NODE_FAILED: {
    status: 502,
    retry: 'check',
    means: 'The node that owns the instance failed while it carried out the call; the request id finds it in the logs.',
  },
  INTERNAL: { status: 500, retry: 'check', means: 'An error of ours; the request id finds it in the logs.' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors

/** Names of the limits of an instance: the label of `posthorn_refused_total`. */
export const limits = [
  'address_rate',
  'token_rate',
  'instance_rate',
  'unknown_tokens',
  'body',
  'uploads',
  'searches',
  'search_time',
  'streams',
  'lookups',
  'fetches',
  'mcp_calls',
  'mcp_strangers',
] as const
export type Limit = (typeof limits)[number]

export interface GatewayErrorOptions {
  /** The text for the caller; the registry's sentence when absent. */
  readonly message?: string
  /** For the caller: fields and reasons. */
  readonly details?: unknown
  /** Further fields at the top level of the answer, such as `provider_code`. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** The limit that the caller has reached, for metrics. */
  readonly limit?: Limit
  /** For our logs only. */
  readonly cause?: unknown
}

/** An error that a caller of the API may see; one boundary turns it into status and body. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly fields: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly limit: Limit | undefined

  constructor(code: ErrorCode, options: GatewayErrorOptions = {}) {
    super(options.message ?? errors[code].means, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GatewayError'
    this.code = code
    this.details = options.details
    this.fields = options.fields ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
  }

  get status(): number {
    return errors[this.code].status
  }
}
