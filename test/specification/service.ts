import { type Area, inFile } from './area.js'

const anyRequest = inFile('test/gateway/any-request.integration.ts', 'any request')
const document = inFile('api/openapi.test.ts', 'the OpenAPI document')
const client = inFile('test/gateway/client.integration.ts', 'the client library')
const inCluster = inFile('test/cluster/kinds.integration.ts', 'every kind of send through a node that is not the owner')
const api = inFile('test/gateway/service.integration.ts', 'the API')
const tokens = inFile('test/cluster/tokens.integration.ts', 'tokens in a cluster')
const noToken = inFile('api/bad-input.test.ts', 'a call without the right token')
const spelling = inFile('api/bad-input.test.ts', 'a body with keys in another spelling')
const everyField = inFile('api/every-field.test.ts', 'a field that is wrong')
const webhooks = inFile('test/gateway/webhooks.integration.ts', 'webhooks')
const filters = inFile('test/gateway/events.integration.ts', 'events')
const urls = inFile('runtime/delivery/signature.test.ts', 'the URL of a delivery')
const streams = inFile('test/gateway/stream.integration.ts', 'streams of events')
const configuration = inFile('api/administration.integration.ts', 'webhooks of an instance')
const kinds = inFile('test/gateway/event-schemas.integration.ts')
const reactions = inFile('test/gateway/reactions.integration.ts', 'reactions')
const queue = inFile('test/gateway/queue.integration.ts', 'the queue of asynchronous sends')
const presence = inFile('test/gateway/presence.integration.ts', 'presence')
const limits = inFile('test/gateway/limits.integration.ts', "the network's restrictions of an account")
const messages = inFile('test/gateway/messages.integration.ts', 'messages')

export const authentication: Area = {
  title: 'Authentication',
  statements: {
    token: [
      'Operations of an instance ask for the header `token`.',
      api('answers 401 on every route that needs a token: without one, with a wrong one and with one of another kind'),
    ],
    'no-session': [
      'Without a session an operation that needs one is `No session`.',
      reactions('of an instance that is not connected are answered with No session'),
      queue('refuses sends of an instance without a session'),
    ],
    admintoken: [
      'Administrative ones ask for `admintoken`.',
      noToken('is answered with 401 before its body is looked at'),
    ],
    expired: [
      'So is one that has expired.',
      tokens('a key made on one node works on the other for its scope only, until it ends'),
      tokens('an instance gets another token on one node, and the former one ends on all, at once or after a grace'),
    ],
    invalid: ['A wrong one is 401 with `Invalid token`.', noToken('is answered with 401 before its body is looked at')],
  },
}

export const errorsAndInput: Area = {
  title: 'Errors and input',
  statements: {
    body: [
      'An error is {error}, with fields beside it.',
      api(
        'answers bodies that are no JSON object, or have another content type, with a 4xx on every route, and does nothing',
      ),
      limits(
        'are explained beside the refusal of a message, with the time at which to try again; known chats continue',
      ),
    ],
    fields: [
      'Every field of every operation that is missing, of another type, too long or out of range is refused by name, and nothing is done.',
      everyField('in the body of … is refused by name, and nothing is done'),
      everyField('in the query of … is refused by name, and nothing is done'),
    ],
    covered: ['No operation is left out of that.', everyField('is looked for in every operation that takes one')],
    any: [
      'Whatever is asked is answered with a status, a code and a body that the document promises, and by no error of ours.',
      anyRequest('is answered as the document says, and never with an internal error'),
      anyRequest('is accepted for every operation when it is valid'),
      anyRequest('never becomes part of an SQL statement'),
    ],
    unchanged: [
      'A text is read back as it was written, whatever characters it has.',
      anyRequest('keeps its texts unchanged, and searches find them'),
    ],
    document: [
      'The OpenAPI document is valid, shows every operation, and carries the label 1.0.0; no path carries a version.',
      document('is valid OpenAPI 3.1'),
      document('shows every route, with every error code that it may answer'),
      document('carries the label of the interface, and its paths none'),
    ],
    client: [
      'A client that a public generator makes from it works, and does not compile with a mistaken call.',
      client('is as fresh as the OpenAPI document'),
      client('compiles in the two ways in which packages are found, and not with a wrong call'),
      client('makes an instance and pairs it'),
      client('sends a text, and the same one once'),
    ],
    'every-node': [
      'Every operation is answered by a node that is not the owner as by the owner.',
      inCluster('is answered as by the owner, whatever the operation'),
    ],
    case: ['Keys are taken in any case.', spelling('is understood without regard to case')],
    unknown: ['Unknown ones are ignored and named in `warnings`.', spelling('has its unknown keys ignored and named')],
  },
}

export const events: Area = {
  title: 'Webhooks and streams',
  statements: {
    read: ['`GET /webhook` is an array of configurations.', configuration('can be several, each told its secret once')],
    kinds: [
      'Kinds that are told: connection, history, messages, messages_update, call, contacts, presence, groups, labels, chats, chat_labels, blocks, leads; each as its schema says.',
      kinds('every kind of event is delivered, with the envelope and the shape that its schema says'),
    ],
    presence: [
      '`presence` tells who types, and who is online, of the people at whom the account has looked.',
      presence('shows typing, its end, and effective receipts if it is set to available'),
      presence('of a person is returned on request, and emitted from then on, with the last seen'),
    ],
    filters: [
      'Each filter of `excludeMessages` leaves out what it names, in both spellings of the last.',
      webhooks('leave out exactly the messages that each filter names'),
    ],
    suffixes: [
      '`addUrlEvents` and `addUrlTypesMessages` put the event and the type of message behind the URL.',
      urls('is the configured one, with the event and the message type appended if configured'),
      filters('go to several webhooks, each with its own filters and suffixes; simple mode keeps one'),
    ],
    enabled: [
      'A webhook that is not enabled is told nothing.',
      webhooks('are changed and deleted by their id, and get nothing while they are disabled'),
    ],
    defaults: [
      '`enabled`, `addUrlEvents` and `addUrlTypesMessages` are false where a new webhook does not say so.',
      configuration('can be set without ids, as long as there is one'),
    ],
    required: [
      '`url` and `events` are required, and must be such.',
      configuration('are refused when the URL, an event or the secret is none'),
    ],
    received: [
      'A received message is told once, with who wrote.',
      messages('of others are reported once with the sender, also when the network repeats them'),
    ],
    stream: [
      'Events can be followed as a stream, with filters, for one instance or all.',
      streams('give every event of the instance with its sequence as the id, without gaps, and none of another'),
      streams('leave out events that their filters name'),
      streams('of the administrator give the events of all instances, and resume without loss or repeats'),
    ],
  },
}
