/**
 * Every sentence and table row of `docs/reference/interface-specification.md`, word for word and in its order, with the tests that show it; a test
 * compares the two. What is not built, or not shown, is open.
 */
import { callReject, instances, leadsAndChats, otherOperations } from './accounts.js'
import { by, INFORMS, inFile, type Section, section } from './area.js'
import { messageOperations, messageRecord, presenceOperation, react } from './messages.js'
import { commonFields, menus, placeholdersInTexts, sending } from './sending.js'
import { authentication, errorsAndInput, events } from './service.js'

const administration = inFile('api/administration.integration.ts', 'an instance')
const campaigns = inFile('test/gateway/campaigns.integration.ts', 'a campaign')
const chatwoot = inFile('test/gateway/chatwoot.integration.ts', 'an instance with Chatwoot')
const filter = inFile('schemas/chat-filter.test.ts', 'the filter of a search over chats')
const kinds = inFile('actors/network/baileys/other-kinds.test.ts', 'a message of a rarer kind')
const label = inFile('api/routes/label/edit.test.ts')
const search = inFile('runtime/store/chat-search.integration.ts', 'a search over chats')
const service = inFile('test/gateway/service.integration.ts', 'the API')
const settings = inFile('test/gateway/chat-settings.integration.ts', 'settings of chats')

export const interfaceSections: readonly Section[] = [
  section('# Messaging Gateway Service: Interface Specification', [
    [
      'This document covers the whole service: purpose, resources, states, endpoints, authentication, events, errors, limits and versioning.',
      INFORMS,
    ],
    ['It is the only document.', INFORMS],
  ]),
  section('## What the service does', [
    ['The service is an HTTP/JSON gateway.', ...by(errorsAndInput, 'body')],
    [
      'Each instance is one connected account on a consumer messaging network, and the gateway lets a client drive that account programmatically.',
      ...by(sending, 'text'),
      ...by(instances, 'pair-qr'),
    ],
    ['Base address: `{base_url}`.', INFORMS],
    ['Operations specified here:', INFORMS],
    [
      '| Sending | interactive menu (buttons, list, poll, carousel); payment-key button; reaction to a message; typing/recording presence |',
      ...by(menus, 'button-reply', 'pix-shown'),
      ...by(react, 'shown'),
      ...by(presenceOperation, 'shown'),
    ],
    ['| Groups | join by invite code; restrict who may send |', ...by(otherOperations, 'group-join', 'group-announce')],
    ['| Calls | reject an incoming call |', ...by(callReject, 'reject')],
    ['| Profile | change display name |', ...by(otherOperations, 'profile-name')],
    [
      '| Labels and chats | edit a label; archive/unarchive a chat; set/add/remove labels on a chat; search chats |',
      ...by(otherOperations, 'label-edit'),
      ...by(leadsAndChats, 'archive', 'labels', 'find'),
    ],
    ['| Contacts | paginated contact list |', ...by(otherOperations, 'contacts')],
    [
      '| AI agents | create/edit/delete an external-API function; list knowledge entries |',
      ...by(otherOperations, 'functions', 'knowledge'),
    ],
    ['| Webhooks | read the webhook configuration |', ...by(events, 'read')],
    [
      'Advisory: a business-type account is recommended, because a normal account may show inconsistencies, disconnections and limitations.',
      INFORMS,
    ],
    [
      'Further functional areas exist by name only: instance lifecycle, administration, bulk messaging, chatbot settings and triggers, agent configuration, quick replies, lead/CRM data stored inside the service (up to 20 custom lead fields), blocks, and an integration with an external support platform (beta; only new messages are synchronised, history is not).',
      chatwoot('carries texts of a person into one contact and one conversation, in order, each once'),
      chatwoot('sends the reply of an agent to the person once, although its webhook comes twice'),
      ...by(otherOperations, 'agents', 'triggers', 'chatbotSettings'),
      ...by(instances, 'pair-qr', 'pair-code'),
      administration('takes another name, and notes that only the administrator writes'),
      settings('include quick replies, stored here, or on the phone and all its devices'),
      ...by(leadsAndChats, 'edit', 'names'),
      settings('include the blocked people'),
      campaigns('reaches each recipient once, counts receipts, and records who has no account'),
    ],
    ['Their endpoints are not shown.', INFORMS],
    [
      'Quick replies are only stored by the service; it never applies them automatically.',
      settings('include quick replies, stored here, or on the phone and all its devices'),
    ],
  ]),
  section('### Common optional fields of every send operation', [
    [
      '| delay | integer | milliseconds to wait before sending; a typing or recording indicator is displayed during the wait |',
      ...by(commonFields, 'delay'),
    ],
    [
      '| readchat | boolean | mark the chat read after sending (clears its unread counter) |',
      ...by(commonFields, 'readchat'),
    ],
    [
      '| readmessages | boolean | mark the last 10 received (not sent) messages as read |',
      ...by(commonFields, 'readmessages'),
    ],
    [
      '| replyid | string | id of the message to reply to; support varies by message type |',
      ...by(commonFields, 'replyid'),
    ],
    [
      '| mentions | string | groups only: comma-separated numbers, or the word `all` |',
      ...by(commonFields, 'mentions-all', 'mentions-numbers'),
    ],
    ['| forward | boolean | mark the message as forwarded |', ...by(commonFields, 'forward')],
    [
      '| track_source | string | free-text origin of the message for external systems |',
      ...by(commonFields, 'tracking'),
    ],
    [
      '| track_id | string | free-text tracking id; duplicates are accepted, no uniqueness check |',
      ...by(commonFields, 'tracking'),
      ...by(messageRecord, 'id'),
    ],
    [
      '| async | boolean | queue the send for asynchronous processing (named for the payment-key button; listed among the inherited common fields) |',
      ...by(commonFields, 'async'),
    ],
    ['To send to a group, `number` carries the group id, which ends in `@g.us`.', ...by(commonFields, 'number-group')],
    [
      'Group ids are obtained from the `chatid` of a received webhook event or from the group-list operation.',
      ...by(commonFields, 'number-group'),
      ...by(otherOperations, 'group-list'),
    ],
  ]),
  section('### Text placeholders (usable in send operations)', [
    [
      '| `{{name}}` | first available of: lead_name, lead_fullName, wa_contactName, wa_name |',
      ...by(placeholdersInTexts, 'name'),
    ],
    [
      '| `{{first_name}}` | first valid word of the consolidated name (at least 2 characters) |',
      ...by(placeholdersInTexts, 'first-name'),
    ],
    [
      '| `{{wa_name}}`, `{{wa_contactName}}` | profile name; name as saved as contact |',
      ...by(placeholdersInTexts, 'fields'),
    ],
    [
      '| `{{lead_name}}`, `{{lead_fullName}}`, `{{lead_personalid}}`, `{{lead_email}}`, `{{lead_status}}`, `{{lead_notes}}`, `{{lead_assignedAttendant_id}}` | lead fields |',
      ...by(placeholdersInTexts, 'fields'),
    ],
    [
      '| `{{lead_field01}}` to `{{lead_field20}}` | custom lead fields; a custom field name defined in the field-map operation may also be used as `{{<field_name>}}` |',
      ...by(placeholdersInTexts, 'custom'),
    ],
    ['The chat-search operation lists the fields available for placeholders.', ...by(placeholdersInTexts, 'listed')],
  ]),
  section('## Resources and their fields', []),
  section('### Instance', [
    ['States: disconnected, connecting, connected.', ...by(instances, 'states', 'passkey')],
    ['Fields of the instance record: not shown.', INFORMS],
  ]),
  section('### Message record', [
    [
      '| id | string, internal unique id (letter r followed by 7 random hex characters) |',
      ...by(messageRecord, 'id', 'unique'),
    ],
    [
      '| messageid | string, id of the message at the network |',
      ...by(messageRecord, 'fields'),
      ...by(sending, 'text'),
    ],
    [
      '| chatid | string, related conversation id |',
      ...by(commonFields, 'number-group'),
      ...by(messageRecord, 'fields'),
    ],
    ['| fromMe | boolean |', ...by(messageRecord, 'fields'), ...by(events, 'received')],
    ['| isGroup | boolean |', ...by(messageRecord, 'fields'), ...by(commonFields, 'number-group')],
    [
      '| messageType | text, image, video, document, audio, location, button, list, reaction |',
      ...by(messageRecord, 'kinds'),
      kinds('has the name of its kind and a summary in words'),
    ],
    ['| messageTimestamp | integer, milliseconds |', ...by(messageRecord, 'times')],
    ['| edited | string, edit history |', ...by(messageRecord, 'edited')],
    ['| quoted | string, id of the quoted/replied message |', ...by(messageRecord, 'quoted')],
    ['| reaction | string, id of the message reacted to |', ...by(messageRecord, 'kinds'), ...by(react, 'event')],
    ['| sender | string |', ...by(messageRecord, 'fields'), ...by(events, 'received')],
    ['| senderName | string |', ...by(messageRecord, 'kinds'), ...by(events, 'received')],
    ['| source | ios, web, android |', ...by(messageRecord, 'kinds')],
    [
      '| status | pending, sent, delivered, read, failed, deleted |',
      ...by(messageRecord, 'status'),
      ...by(messageOperations, 'delete'),
    ],
    ['| text | string, original text |', ...by(messageRecord, 'edited')],
    ['| vote | string, poll/list vote data |', ...by(messageRecord, 'votes')],
    ['| buttonOrListid | string, selected button or list item id |', ...by(messageRecord, 'votes')],
    [
      '| convertOptions | string, conversion of options of message, list, poll, buttons |',
      ...by(messageRecord, 'options'),
    ],
    ['| fileURL | string, media download URL |', ...by(messageRecord, 'fileURL')],
    ['| content | string/JSON, full content |', ...by(messageRecord, 'kinds', 'fields')],
    ['| owner | string |', ...by(messageRecord, 'fields', 'id')],
    ['| track_source, track_id | string |', ...by(commonFields, 'tracking')],
    ['| created, updated | string, format `YYYY-MM-DD HH:MM:SS.FFF` |', ...by(messageRecord, 'times')],
    [
      '| ai_metadata | object: agent_id (string); request {messages array, tools array, options {model string, temperature, maxTokens, topP, frequencyPenalty, presencePenalty numbers}}; response {choices array, toolResults array, error string} |',
      ...by(messageRecord, 'ai-metadata'),
    ],
    [
      'A reaction send returns a reduced record: id in the form `<owner>:<message_id>`, messageid, content (object), messageTimestamp, messageType `reaction`, status (initially `Pending`, capitalised), owner.',
      ...by(react, 'record'),
    ],
  ]),
  section('### Chat record', [
    ['String unless noted.', INFORMS],
    ['Identity: id, wa_fastid, wa_chatid, name, image, imagePreview, phone, owner.', ...by(leadsAndChats, 'record')],
    [
      'Network data: wa_archived (bool), wa_contactName, wa_name, wa_ephemeralExpiration (integer), wa_isBlocked (bool), wa_isGroup (bool), wa_isGroup_admin (bool), wa_isGroup_announce (bool), wa_isGroup_community (bool), wa_isGroup_member (bool), wa_isPinned (bool), wa_label (string holding a list, default `[]`), wa_lastMessageTextVote, wa_lastMessageType, wa_lastMsgTimestamp (integer), wa_lastMessageSender, wa_muteEndTime (integer), wa_unreadCount (integer), wa_common_groups (comma-separated entries of the form `<group_name>(<group_id>)`).',
      ...by(leadsAndChats, 'record', 'record-labels', 'common-groups'),
    ],
    [
      'Lead data: lead_name, lead_fullName, lead_email, lead_personalid, lead_status, lead_tags, lead_notes, lead_isTicketOpen (bool), lead_assignedAttendant_id, lead_kanbanOrder (integer), lead_field01 ... lead_field20.',
      ...by(leadsAndChats, 'record', 'edit'),
    ],
    [
      'Chatbot data: chatbot_agentResetMemoryAt (integer), chatbot_lastTrigger_id, chatbot_lastTriggerAt (integer), chatbot_disableUntil (integer).',
      ...by(leadsAndChats, 'record', 'chatbot'),
    ],
    ['Timestamps: created, updated (SQLite-style date-time strings).', ...by(leadsAndChats, 'record')],
  ]),
  section('### Group record', [
    [
      'JID, OwnerJID, Name, NameSetAt (date-time), NameSetBy, Topic, IsLocked (bool), IsAnnounce (bool), AnnounceVersionID, IsEphemeral (bool), DisappearingTimer (integer), IsIncognito (bool), IsParent (bool), IsJoinApprovalRequired (bool), LinkedParentJID, IsDefaultSubGroup (bool), GroupCreated (date-time), ParticipantVersionID, Participants (array; element structure not shown), MemberAddMode (value `admin_add` seen; other values not shown), OwnerCanSendMessage (bool), OwnerIsAdmin (bool), DefaultSubGroupId, invite_link, request_participants.',
      ...by(otherOperations, 'group-list'),
    ],
    ['The record returned by the announce operation omits MemberAddMode.', ...by(otherOperations, 'group-announce')],
  ]),
  section('### Contact (list element)', [
    ['jid, contact_name, contact_FirstName (strings).', ...by(otherOperations, 'contacts-record')],
  ]),
  section('### Label', [
    [
      'Identified by labelid (string); has a name (string) and a color (integer).',
      ...by(otherOperations, 'labels', 'label-edit'),
    ],
    ['Other fields of the label record: not shown.', INFORMS],
  ]),
  section('### Function (external-API function for AI agents)', [
    ['| id | string, generated |', ...by(otherOperations, 'functions')],
    [
      '| name | string, unique descriptive identifier, no spaces or special characters |',
      ...by(otherOperations, 'functions-fields'),
    ],
    ['| description | string |', ...by(otherOperations, 'functions')],
    ['| method | GET, POST, PUT, PATCH, DELETE |', ...by(otherOperations, 'functions-fields')],
    [
      '| endpoint | string, full URL; may hold `{{param}}` placeholders in path or query |',
      ...by(otherOperations, 'functions-fields'),
    ],
    ['| isActive (request) / active (response) | boolean, default false |', ...by(otherOperations, 'functions-record')],
    ['| headers | object of strings (request); string (response) |', ...by(otherOperations, 'functions-record')],
    ['| body | object (used with POST/PUT/PATCH); string in response |', ...by(otherOperations, 'functions-record')],
    ['| parameters | array of parameter definitions |', ...by(otherOperations, 'functions-parameters')],
    [
      '| undocumentedParameters | string, lists placeholders without a matching parameter |',
      ...by(otherOperations, 'functions-off'),
    ],
    ['| header_error, body_error | boolean, formatting errors |', ...by(otherOperations, 'functions-off')],
    ['| owner | string |', ...by(otherOperations, 'functions')],
    ['| created, updated | date-time strings |', ...by(otherOperations, 'functions')],
    [
      'Parameter definition: name (string), type (`string`, `number`, `integer`, `boolean`), description (string), required (boolean), enum (string of comma-separated allowed values; string type), minimum and maximum (numbers; number/integer types).',
      ...by(otherOperations, 'functions-parameters'),
    ],
  ]),
  section('### Knowledge entry', [
    [
      'id (string), active (bool), tittle (string; the field name is spelled so), content (string), vectorStatus (string), isVectorized (bool), lastVectorizedAt (integer), owner (string), priority (integer), created, updated (ISO 8601 date-time).',
      ...by(otherOperations, 'knowledge', 'knowledge-read'),
    ],
  ]),
  section('### Webhook configuration', [
    ['| id | string (uuid), generated, read-only |', ...by(events, 'read', 'required')],
    ['| instance_id | string |', ...by(events, 'read')],
    ['| enabled | boolean, default false |', ...by(events, 'defaults', 'enabled')],
    ['| url | string (uri), required |', ...by(events, 'required')],
    ['| events | array of event names, required (see Events) |', ...by(events, 'required', 'kinds')],
    ['| excludeMessages | array of filter names (see Events) |', ...by(events, 'filters')],
    [
      '| addUrlEvents | boolean, default false: append the event name to the URL |',
      ...by(events, 'defaults', 'suffixes'),
    ],
    [
      '| addUrlTypesMessages | boolean, default false: append the message type to the URL (the schema names it with a capital first letter) |',
      ...by(events, 'defaults', 'suffixes'),
    ],
    ['| created, updated | date-time, read-only |', ...by(events, 'read')],
    ['Content of the totalChatsStats object of chat search: not shown.', INFORMS],
  ]),
  section('## States and transitions', [
    [
      '| Instance | disconnected, connecting, connected. Transitions: not shown. |',
      ...by(instances, 'states', 'passkey'),
    ],
    [
      '| Message status | pending, sent, delivered, read, failed, deleted. Transitions: not shown. |',
      ...by(messageRecord, 'status'),
    ],
    ['| Knowledge vectorStatus | values: not shown. |', INFORMS],
    ['Moves that are shown:', INFORMS],
    [
      '| function isActive false or true | function edit | JSON in headers/body invalid, placeholder without matching parameter, type violation | isActive false | the problem is reported in undocumentedParameters / header_error / body_error |',
      ...by(otherOperations, 'functions-off'),
    ],
    [
      '| no presence | presence with composing or recording | chat reachable | presence active | re-sent every 10 s until delay ends or 300000 ms |',
      ...by(presenceOperation, 'shown', 'refresh'),
    ],
    ['| presence active | presence with paused | none | no presence | |', ...by(presenceOperation, 'paused')],
    [
      '| presence active | any message sent to the same chat | none | no presence | automatic cancel |',
      ...by(presenceOperation, 'cancelled'),
    ],
    [
      '| chat not archived | chat archive with archive true | none | archived | synchronised to all linked devices; messages untouched |',
      ...by(leadsAndChats, 'archive'),
    ],
    ['| chat archived | chat archive with archive false | none | not archived | |', ...by(leadsAndChats, 'archive')],
    [
      '| group all may send | group updateAnnounce announce true | caller is group admin | only admins may send | |',
      ...by(otherOperations, 'group-announce', 'group-announce-admin'),
    ],
    [
      '| group only admins send | group updateAnnounce announce false | caller is group admin | all participants may send | |',
      ...by(otherOperations, 'group-announce'),
    ],
    [
      '| function existing | function edit with delete true | id given | function removed (effect on response not shown beyond the function record shape) | |',
      ...by(otherOperations, 'functions'),
    ],
    [
      'Operations that act only while the instance is connected: profile name change (explicit); others not stated.',
      ...by(otherOperations, 'profile-name-session'),
    ],
  ]),
  section('## Endpoints', [
    ['All paths are relative to `{base_url}`.', INFORMS],
    [
      'All take and return JSON.',
      service(
        'answers bodies that are no JSON object, or have another content type, with a 4xx on every route, and does nothing',
      ),
      ...by(errorsAndInput, 'body'),
    ],
    ['All require the `token` header.', ...by(authentication, 'token')],
    ['Required-ness of fields is stated only where the interface marks it; otherwise not shown.', INFORMS],
    ['| POST | /send/menu | interactive menu |', ...by(menus, 'button-reply')],
    ['| POST | /send/pix-button | payment-key button |', ...by(menus, 'pix-shown')],
    ['| POST | /message/react | reaction |', ...by(react, 'shown')],
    ['| POST | /message/presence | presence |', ...by(presenceOperation, 'shown')],
    ['| POST | /group/join | join group |', ...by(otherOperations, 'group-join')],
    ['| POST | /group/updateAnnounce | group send permission |', ...by(otherOperations, 'group-announce')],
    ['| POST | /call/reject | reject call |', ...by(callReject, 'reject')],
    ['| POST | /profile/name | change display name |', ...by(otherOperations, 'profile-name')],
    ['| POST | /label/edit | edit/delete label |', ...by(otherOperations, 'label-edit')],
    ['| POST | /chat/archive | archive chat |', ...by(leadsAndChats, 'archive')],
    ['| POST | /chat/labels | manage chat labels |', ...by(leadsAndChats, 'labels')],
    ['| POST | /chat/find | search chats |', ...by(leadsAndChats, 'find')],
    ['| POST | /contacts/list | paged contacts |', ...by(otherOperations, 'contacts')],
    ['| GET | /knowledge/list | knowledge entries |', ...by(otherOperations, 'knowledge')],
    ['| POST | /function/edit | create/edit/delete function |', ...by(otherOperations, 'functions')],
    ['| GET | /webhook | webhook configuration |', ...by(events, 'read')],
    [
      'Other paths are only mentioned, not specified: GET /group/list, GET /contacts (full list without pagination), POST /send/carousel (alternative carousel payload), POST /chat/editLead, /instance/updateFieldsMap.',
      ...by(otherOperations, 'group-list', 'contacts-all'),
      ...by(menus, 'carousel-objects'),
      ...by(leadsAndChats, 'edit', 'names'),
    ],
  ]),
  section('### POST /send/menu', [
    [
      'Request fields: number (string), type (`button`, `list`, `poll`, `carousel`), text (string, main text), choices (array of strings, meaning depends on type), footerText (string, optional, buttons and lists), listButton (string, list only: label of the button that opens the list), selectableCount (integer, poll only, default 1), imageButton (string, button only: image URL or base64), plus the common optional fields.',
      ...by(menus, 'button-reply', 'footer', 'list-button', 'poll', 'button-image'),
    ],
    ['Response body: not shown.', INFORMS],
    ['Choice formats, fields of one string separated by `|` or by a line break:', ...by(menus, 'line-break')],
    ['| button | `<text>` | reply button, id equals text |', ...by(menus, 'button-reply')],
    ['| button | `<text>|<id>` | reply button |', ...by(menus, 'button-reply')],
    ['| button | `<text>|copy:<code>` | copy button |', ...by(menus, 'button-copy')],
    ['| button | `<text>|call:<phone>` | call button |', ...by(menus, 'button-call')],
    ['| button | `<text>|<url>` or `<text>|url:<url>` | URL button |', ...by(menus, 'button-url')],
    ['| list | `[<section_title>]` | starts a section |', ...by(menus, 'list-section')],
    ['| list | `<text>|<id>|<description>` | item; id and description optional |', ...by(menus, 'list-item')],
    ['| poll | `<option_text>` | one vote option |', ...by(menus, 'poll')],
    ['| carousel | `[<card_text>]` (line breaks allowed inside) | starts a card |', ...by(menus, 'carousel')],
    ['| carousel | `{<image_url_or_base64>}` | card image, follows the card text |', ...by(menus, 'carousel')],
    [
      '| carousel | `<text>|copy:<code>`, `<text>|<url>`, `<text>|call:<phone>` | card buttons, one string each |',
      ...by(menus, 'carousel'),
    ],
    [
      'Rule: when reply buttons are mixed with call, url or copy buttons in one message, the web client shows a notice that the message can only be viewed on the phone.',
      ...by(menus, 'button-mixed'),
    ],
    [
      'Rule: changing `type` while keeping the same choices structure migrates between button, list and poll.',
      ...by(menus, 'migrates'),
    ],
  ]),
  section('### POST /send/pix-button', [
    [
      'Request: number (string, recipient, international format), pixType (`CPF`, `CNPJ`, `PHONE`, `EMAIL`, `EVP`; case-insensitive), pixKey (string), pixName (string, name of the receiver, default `Pix` when empty), plus the common optional fields delay, readchat, readmessages, replyid, mentions, track_source, track_id, async.',
      ...by(menus, 'pix-types', 'pix-name'),
    ],
    [
      'Response on success: message record plus `response` object {status `success`, message string}.',
      ...by(menus, 'pix-answer'),
    ],
    ['The recipient sees receiver name and key.', ...by(menus, 'pix-shown')],
  ]),
  section('### POST /message/react', [
    [
      'Request: number (string, chat id in network address form), text (string, one Unicode emoji; empty string removes the reaction), id (string, id of the message to react to; missing id gives an error).',
      ...by(react, 'shown', 'emoji', 'missing-id'),
    ],
    ['Response: reduced message record (see Resources).', ...by(react, 'record')],
    [
      'The description also gives an alternative shape {success bool, message string, reaction {id, emoji (null when removed), timestamp, status `sent` or `removed`}}.',
      ...by(react, 'alternative'),
    ],
    [
      'Rules: only messages from other users can be reacted to; messages older than 7 days cannot; one active reaction per user per message.',
      ...by(react, 'others-only', 'seven-days', 'one'),
    ],
  ]),
  section('### POST /message/presence', [
    [
      'Request: number (string), presence (`composing`, `recording`, `paused`), delay (integer ms, at most 300000).',
      ...by(presenceOperation, 'shown', 'bad-input'),
    ],
    ['Without delay, or above 300000, the limit is 300000 ms.', ...by(presenceOperation, 'limit')],
    ['Response: {response: string}.', ...by(presenceOperation, 'shown')],
    ['The call returns at once; the presence runs in the background (see States).', ...by(presenceOperation, 'shown')],
  ]),
  section('### POST /group/join', [
    [
      'Request: inviteCode (string, 10 to 50 characters; bare code or full invite URL `{invite_base_url}/<code>`).',
      ...by(otherOperations, 'group-join'),
    ],
    ['The code is validated before joining.', ...by(otherOperations, 'group-join-invalid')],
    ['Response: {response: string, group: group record}.', ...by(otherOperations, 'group-join')],
  ]),
  section('### POST /group/updateAnnounce', [
    [
      'Request: groupjid (string, group id ending `@g.us`), announce (boolean).',
      ...by(otherOperations, 'group-announce'),
    ],
    ['Caller must be group admin.', ...by(otherOperations, 'group-announce-admin')],
    ['Response: {response: string, group: group record}.', ...by(otherOperations, 'group-announce')],
    ['Error bodies: not shown.', INFORMS],
  ]),
  section('### POST /call/reject', [
    ['Request: number (string, caller), id (string, call id).', ...by(callReject, 'reject', 'missing-id')],
    ['Response: {response: string}.', ...by(callReject, 'answer')],
    ['Works for voice and video calls.', ...by(callReject, 'reject')],
  ]),
  section('### POST /profile/name', [
    ['Request: name (string, at most 25 characters).', ...by(otherOperations, 'profile-name-length', 'profile-name')],
    ['Instance must be connected.', ...by(otherOperations, 'profile-name-session')],
    [
      'Response: {success bool, message string, profile {name string, updated_at integer}}.',
      ...by(otherOperations, 'profile-name'),
    ],
    ['The network may limit how often the name changes.', ...by(otherOperations, 'profile-name-limit')],
  ]),
  section('### POST /label/edit', [
    [
      'Request: labelid (string), name (string), color (integer), delete (boolean; true deletes the label).',
      ...by(otherOperations, 'label-edit'),
    ],
    ['Response: {response: string}.', ...by(otherOperations, 'label-edit')],
  ]),
  section('### POST /chat/archive', [
    ['Request: number (string), archive (boolean).', ...by(leadsAndChats, 'archive')],
    ['Response: {response: string}.', ...by(leadsAndChats, 'archive')],
  ]),
  section('### POST /chat/labels', [
    [
      'Request: number (string, chat or group) and exactly one of: labelids (array of strings; replaces the whole set), add_labelid (string), remove_labelid (string).',
      ...by(leadsAndChats, 'labels', 'labels-one'),
    ],
    ['Label ids are the ids from the label list.', ...by(leadsAndChats, 'labels')],
    ['Unknown labels are rejected.', ...by(leadsAndChats, 'labels-unknown')],
    ['Response: {response: string, editions: array of strings, one per change made}.', ...by(leadsAndChats, 'labels')],
  ]),
  section('### POST /chat/find', [
    [
      'Request: operator (`AND` or `OR`, joins the filters), sort (string, `+field` or `-field`, a chat field), limit (integer, results per page), offset (integer), and any chat-record field as a filter whose value may start with an operator:',
      ...by(leadsAndChats, 'find'),
      search('finds what each operator says of each type of field, joined by AND and OR'),
    ],
    [
      '| none | contains (LIKE) |',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      search('gives every page of an order once, by each field, forwards and backwards'),
      filter('is read by the type of its field'),
    ],
    [
      '| `~` | contains |',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      filter('is read by the type of its field'),
    ],
    [
      '| `!~` | does not contain |',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      filter('is read by the type of its field'),
    ],
    [
      '| `!=` | different |',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      filter('is read by the type of its field'),
    ],
    [
      '| `>=`, `>`, `<=`, `<` | comparisons |',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      filter('is read by the type of its field'),
    ],
    [
      'Response: {chats: array of chat records, totalChatsStats: object, pagination {totalRecords, pageSize, currentPage, totalPages} integers}.',
      ...by(leadsAndChats, 'find-answer'),
    ],
  ]),
  section('### POST /contacts/list', [
    [
      'Request: page (integer), pageSize (integer), limit (integer), offset (integer), all optional.',
      ...by(otherOperations, 'contacts'),
    ],
    [
      'Response: {contacts: array of contact elements, pagination {totalRecords, totalDeviceContacts, pageSize, currentPage, totalPages integers; hasNextPage, hasPreviousPage booleans}}.',
      ...by(otherOperations, 'contacts'),
    ],
  ]),
  section('### GET /knowledge/list', [
    ['No payload.', ...by(otherOperations, 'knowledge')],
    ["Response: array of knowledge entries of the instance's AI agent.", ...by(otherOperations, 'knowledge')],
  ]),
  section('### POST /function/edit', [
    [
      'Request: id (string, existing function), delete (boolean), function (object: name, description, method, endpoint, isActive, headers, body, parameters as in Resources).',
      ...by(otherOperations, 'functions'),
    ],
    ['Behaviour when id is absent or when delete is true is not shown beyond the presence of these fields.', INFORMS],
    ['Response: the function record.', ...by(otherOperations, 'functions', 'functions-record')],
    [
      'Validation rules: headers and body must be valid JSON; placeholders are case-sensitive and each needs a parameter of the same name; parameter names unique; types correct; numeric limits valid; enum lists contain no empty values.',
      ...by(otherOperations, 'functions-off', 'functions-parameters'),
    ],
    ['On a violation the function is deactivated.', ...by(otherOperations, 'functions-off')],
  ]),
  section('### GET /webhook', [
    ['No payload.', ...by(events, 'read')],
    ['Response: array of webhook configurations.', ...by(events, 'read')],
  ]),
  section('## Authentication', [
    [
      '| Regular endpoints | header `token` carrying the instance token (`<API_KEY>`) |',
      ...by(authentication, 'token'),
    ],
    [
      '| Administrative endpoints | header `admintoken` carrying the administrator token (`<ADMIN_TOKEN>`) |',
      ...by(authentication, 'admintoken'),
    ],
    [
      '| Invalid or expired token | error with the message Invalid token (pix-button) or an equivalent message; HTTP 401 where codes are listed |',
      ...by(authentication, 'invalid', 'expired'),
    ],
    ['| Missing session | error message `No session` |', ...by(authentication, 'no-session')],
    ['How instance tokens are issued: not shown.', INFORMS],
  ]),
  section('## Events', [
    [
      'The service delivers events to webhook URLs and offers a stream channel (tag Webhooks and SSE).',
      ...by(events, 'received', 'stream'),
    ],
    [
      'Event kinds that a webhook may subscribe to: connection, history, messages, messages_update, call, contacts, presence, groups, labels, chats, chat_labels, blocks, leads.',
      ...by(events, 'kinds', 'presence'),
    ],
    [
      'Exclusion filters (excludeMessages): wasSentByApi, wasNotSentByApi, fromMeYes, fromMeNo, isGroupYes, IsGroupNo (the example writes the last as isGroupNo).',
      ...by(events, 'filters'),
    ],
    [
      'Rules: with addUrlEvents true the event name is appended to the URL; with addUrlTypesMessages true the message type is appended.',
      ...by(events, 'suffixes'),
    ],
    [
      'The chatid of a received message event is the id usable as `number` for group sends.',
      ...by(commonFields, 'number-group'),
    ],
    ['Payload of each event: not shown.', INFORMS],
    ['Operations that set the webhook: not shown.', INFORMS],
    ['Format of the stream channel: not shown.', INFORMS],
  ]),
  section('## Errors', [
    ['Error body: {error: string}.', ...by(errorsAndInput, 'body')],
    ['Messages seen per endpoint:', INFORMS],
    [
      '| /send/pix-button | `Invalid keyType. Allowed: CPF, CNPJ, PHONE, EMAIL, EVP`; `Invalid token`; `Failed to send PIX button` |',
      ...by(menus, 'pix-types', 'pix-token', 'pix-failed'),
    ],
    [
      '| /message/react | `Missing Id in Payload`; `No session`; `Message not found`; `Error sending message` |',
      ...by(react, 'missing-id', 'no-session', 'not-found', 'failed'),
    ],
    [
      '| /message/presence | invalid number or presence type; invalid or expired token; error sending presence |',
      ...by(presenceOperation, 'bad-input', 'failed'),
      ...by(authentication, 'invalid'),
    ],
    [
      '| /group/join | `Invalid invite code`; `Unable to join group`; `Error processing group invite` |',
      ...by(otherOperations, 'group-join-invalid', 'group-join-refused', 'group-join-failed'),
    ],
    [
      '| /call/reject | generic error; `client not found`; `error rejecting call: timeout` |',
      ...by(callReject, 'failure', 'client-not-found', 'timeout'),
    ],
    [
      '| /profile/name | name too long or invalid; `No session`; change limit exceeded or account restricted; error changing name |',
      ...by(otherOperations, 'profile-name-length', 'profile-name-session', 'profile-name-limit'),
    ],
    [
      '| /label/edit | `invalid payload`; `error editing label` |',
      label('every 400 of a label is exactly "invalid payload", with the reason in details'),
      ...by(otherOperations, 'label-edit-errors'),
    ],
    [
      '| /chat/archive | `Invalid phone number format`; `Error archiving chat` |',
      ...by(leadsAndChats, 'archive-number', 'archive-failed'),
    ],
    ['| /contacts/list | `No session`; generic error |', ...by(otherOperations, 'contacts-session')],
    [
      'HTTP status codes stated: react and reject-call: 401 invalid or expired token, 400 invalid number or emoji or missing call id, 404 message not found (react), 500 send or reject failure.',
      ...by(callReject, 'token', 'invalid-number', 'missing-id', 'failure'),
      ...by(react, 'emoji', 'not-found', 'failed'),
      service(
        'answers 401 on every route that needs a token: without one, with a wrong one and with one of another kind',
      ),
    ],
    ['Instance limit reached: 429.', ...by(instances, 'limit')],
    ['HTTP status of the other listed error bodies: not shown.', INFORMS],
    ['Complete catalogue of errors: not shown.', INFORMS],
  ]),
  section('## Limits', [
    [
      '| presence duration | 300000 ms (5 min) maximum and default | /message/presence |',
      ...by(presenceOperation, 'limit'),
    ],
    ['| presence refresh | every 10 s | /message/presence |', ...by(presenceOperation, 'refresh')],
    ['| readmessages | last 10 received messages | send operations |', ...by(commonFields, 'readmessages')],
    ['| reaction age | no reaction on messages older than 7 days | /message/react |', ...by(react, 'seven-days')],
    ['| profile name length | 25 characters maximum | /profile/name |', ...by(otherOperations, 'profile-name-length')],
    [
      '| invite code length | 10 to 50 characters | /group/join |',
      ...by(otherOperations, 'group-join', 'group-join-invalid'),
    ],
    ['| selectableCount default | 1 | poll menu |', ...by(menus, 'poll')],
    ['| pixName default | `Pix` | /send/pix-button |', ...by(menus, 'pix-name')],
    [
      '| function parameter bounds | per-parameter minimum and maximum | /function/edit |',
      ...by(otherOperations, 'functions-parameters'),
    ],
    [
      '| connected instances | server maximum; beyond it new connection attempts receive 429 | instance connection |',
      ...by(instances, 'limit'),
    ],
    ['| free/demo servers | may have extra restrictions such as limited lifetime | whole service |', INFORMS],
    ['Request rate limits and maximum page sizes: not shown.', INFORMS],
  ]),
  section('## Versioning', [
    ['The interface description carries the version label 1.0.0.', ...by(errorsAndInput, 'document')],
    ['Paths carry no version segment.', ...by(errorsAndInput, 'document')],
    ['Interactive buttons and lists may be discontinued at any time without notice.', INFORMS],
    ['The external support platform integration is beta and may change without notice.', INFORMS],
    ['Versioning scheme and deprecation policy beyond this: not shown.', INFORMS],
  ]),
]
