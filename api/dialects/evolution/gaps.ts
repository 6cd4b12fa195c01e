/** Operations of Evolution API that are not there, and what to use instead. */
import type { DialectGap } from '../dialect.js'

const QUEUES =
  'Posthorn writes into no message queue: let a receiver of webhooks, or a reader of GET /sse, write into yours.'
const BOTS =
  'Posthorn runs no bots of other programs: use n8n or a webhook (POST /webhook) with POST /send/text, or agents of Posthorn (POST /agent/edit).'
const META = 'Posthorn has no channel of Meta’s own API: there is nothing in its place.'

export const gaps: readonly DialectGap[] = [
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
