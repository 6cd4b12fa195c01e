/** Evolution API 2: its operations, in the order of its documentation. The interface is a fact; the code is ours. */
import { makeCall } from '../../routes/call/index.js'
import { labelChat } from '../../routes/chat/update.js'
import { listLabels } from '../../routes/label/index.js'
import type { Dialect, DialectGap, DialectRoute, Json } from '../dialect.js'
import { dialectOpenApi } from '../openapi.js'
import { evolutionChatRoutes } from './chats.js'
import {
  choice,
  evolutionFailure,
  flag,
  isOn,
  number,
  object,
  text,
  toChat,
  toJid,
  unknownInstance,
  unknownPath,
  whole,
} from './fields.js'
import { evolutionGroupRoutes } from './groups.js'
import { evolutionInstanceRoutes } from './instances.js'
import { evolutionMessageRoutes } from './messages.js'
import { evolutionProfileRoutes } from './profile.js'
import { evolutionSendRoutes } from './send.js'
import { menuRoutes } from './send-menus.js'
import { evolutionChatwootRoutes, proxyRoutes, settingRoutes } from './settings.js'
import { evolutionWebhookRoutes } from './webhooks.js'

/** Operations of Evolution API that are not there, and what to use instead. */

const QUEUES =
  'Posthorn writes into no message queue: let a receiver of webhooks, or a reader of GET /sse, write into yours.'
const BOTS =
  'Posthorn runs no bots of other services: use n8n or a webhook (POST /webhook) with POST /send/text, or agents of Posthorn (POST /agent/edit).'
const META = 'Posthorn has no channel of Meta’s own API: there is nothing in its place.'

const gaps: readonly DialectGap[] = [
  ...['typebot', 'dify', 'flowise', 'evolutionBot', 'n8n', 'evoai'].map((name) => ({
    path: `/${name}`,
    summary: `Bots of ${name}`,
    instead: BOTS,
  })),
  {
    path: '/openai',
    summary: 'Bots of OpenAI',
    instead: 'Use agents of Posthorn: POST /agent/edit and POST /trigger/edit.',
  },
  ...['rabbitmq', 'sqs', 'nats', 'kafka', 'pusher'].map((name) => ({
    path: `/${name}`,
    summary: `Events over ${name}`,
    instead: QUEUES,
  })),
  {
    path: '/websocket',
    summary: 'Events over socket.io',
    instead: 'Posthorn has no socket.io: use webhooks (webhook/set), or the event stream GET /sse.',
  },
  { path: '/message/sendTemplate', summary: 'Templates', instead: META },
  { path: '/template', summary: 'Templates', instead: META },
  {
    path: '/message/sendCarousel',
    summary: 'Carousels',
    instead: 'Use POST /send/carousel of Posthorn, with the token of the instance.',
  },
  {
    path: '/business/getCollections',
    summary: 'Collections of catalogues',
    instead: 'Posthorn lists products (POST /business/catalog/list), and not their collections.',
  },
  {
    path: '/business/getCatalog',
    summary: 'Catalogues',
    instead: 'Use POST /business/catalog/list of Posthorn, with the token of the instance.',
  },
  {
    path: '/s3',
    summary: 'Files in a bucket',
    instead: 'Use POST /message/download of Posthorn: its answer has a link to the file.',
  },
  {
    path: '/baileys',
    summary: 'Calls of the library',
    instead: 'There is nothing in the place of calls of the library.',
  },
]

/** Release of the original whose answers these are. */
const VERSION = '2.3.7'

const serviceRoutes: readonly DialectRoute[] = [
  {
    method: 'GET',
    path: '/',
    name: 'welcome',
    area: 'Service',
    summary: 'Show that the gateway is there',
    opens: 'none',
    status: 200,
    operations: [],
    async handle() {
      return {
        status: 200,
        message: 'Posthorn, in the form of Evolution API',
        version: VERSION,
        clientName: 'posthorn',
      }
    },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    area: 'Service',
    summary: 'Describe these operations (OpenAPI 3.1)',
    opens: 'none',
    status: 200,
    operations: [],
    async handle() {
      return dialectOpenApi(evolution)
    },
  },
  {
    method: 'POST',
    path: '/verify-creds',
    name: 'verifyCredentials',
    area: 'Service',
    summary: 'Check a key',
    opens: 'any',
    status: 200,
    operations: [],
    async handle() {
      return { status: 200, message: 'Credentials are valid' }
    },
  },
]

const callRoutes: readonly DialectRoute[] = [
  {
    method: 'POST',
    path: '/call/offer',
    name: 'offerCall',
    area: 'Calls',
    summary: 'Ring a person, without sound',
    opens: 'instance',
    status: 201,
    operations: [makeCall],
    differs: '`id` is that of the call. The original rings nobody.',
    body: object(
      {
        number,
        isVideo: flag('Whether it is a video call.'),
        callDuration: whole('Seconds for which it rings.', 1, 15),
      },
      ['number'],
    ),
    async handle(call) {
      const { isVideo, callDuration } = call.body
      const reply = await call.ask(makeCall, {
        body: {
          number: toChat(call.body.number),
          video: isOn(isVideo),
          ...(callDuration === undefined ? {} : { call_duration: callDuration }),
        },
      })
      return { id: reply.id, isVideo: isOn(isVideo), callDuration: reply.call_duration }
    },
  },
]

const labelRoutes: readonly DialectRoute[] = [
  {
    method: 'GET',
    path: '/label/findLabels',
    name: 'findLabels',
    area: 'Labels',
    summary: 'List the labels',
    opens: 'instance',
    status: 200,
    operations: [listLabels],
    async handle(call) {
      const labels = await call.ask<readonly Json[]>(listLabels)
      return labels.map(({ labelid, name, color }) => ({ color: String(color), name, id: labelid, predefinedId: null }))
    },
  },
  {
    method: 'POST',
    path: '/label/handleLabel',
    name: 'handleLabel',
    area: 'Labels',
    summary: 'Put a label on a chat, or take it off',
    opens: 'instance',
    status: 200,
    operations: [labelChat],
    body: object({ number, labelId: text('Id of the label.', 100), action: choice('What is done.', 'add', 'remove') }, [
      'number',
      'labelId',
      'action',
    ]),
    async handle(call) {
      const { labelId, action } = call.body
      const edit = action === 'add' ? { add_labelid: labelId } : { remove_labelid: labelId }
      await call.ask(labelChat, { body: { number: toChat(call.body.number), ...edit } })
      return { numberJid: toJid(call.body.number), labelId, [String(action)]: true }
    },
  },
]

export const evolution: Dialect = {
  name: 'evolution',
  title: 'Evolution API',
  version: VERSION,
  base: '/evolution',
  formFields: { fileNameField: 'fileName', mimetypeField: 'mimetype' },
  routes: [
    ...serviceRoutes,
    ...evolutionInstanceRoutes,
    ...settingRoutes,
    ...proxyRoutes,
    ...evolutionWebhookRoutes,
    ...evolutionSendRoutes,
    ...menuRoutes,
    ...evolutionMessageRoutes,
    ...evolutionChatRoutes,
    ...evolutionProfileRoutes,
    ...evolutionGroupRoutes,
    ...labelRoutes,
    ...callRoutes,
    ...evolutionChatwootRoutes,
  ],
  gaps,
  readKey: ({ apikey }) => (typeof apikey === 'string' ? apikey : ''),
  failure: evolutionFailure,
  unknownPath,
  unknownInstance,
}
