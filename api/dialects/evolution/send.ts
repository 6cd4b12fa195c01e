/** Sends: texts, files, locations, contact cards, reactions and status posts. */
import { evolutionMessage } from '../../../schemas/dialects/evolution/message.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Route } from '../../route.js'
import { reactToMessage } from '../../routes/message/react.js'
import { sendContact } from '../../routes/send/contact.js'
import { sendLocation } from '../../routes/send/location.js'
import { sendMedia } from '../../routes/send/media.js'
import { sendStatus } from '../../routes/send/status.js'
import { sendText } from '../../routes/send/text.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import * as field from './fields.js'
import { noAccount } from './fields.js'

// Bound: 1,048,576, a body or header of a request.

const { asObject, asText, toChat, file, flag, isOn, list, object, choice, sendFields, text } = field

const DOCUMENT_NAME_MAX = 500

/** Sends by an operation of ours, and returns the message as clients of Evolution API know it. */
export async function sendBy(call: DialectCall, route: Route, fields: Json): Promise<Json> {
  const number = toChat(call.body.number)
  const body = { number, ...(await buildOptions(call)), ...fields }
  const record = await call.ask(route, { body }).catch((error: unknown) => {
    throw error instanceof GatewayError && error.code === 'NOT_ON_NETWORK' ? noAccount(number, error) : error
  })
  return evolutionMessage(record, { instanceId: call.instance?.id ?? '' })
}

async function buildOptions({ body, instance, context }: DialectCall): Promise<Json> {
  const { delay, mentionsEveryOne, mentioned, quoted } = body
  const mentions = isOn(mentionsEveryOne) ? 'all' : Array.isArray(mentioned) ? mentioned.map(toChat).join(',') : ''
  const { key, message } = asObject(quoted)
  const id = asText(asObject(key).id)
  return {
    placeholders: false,
    sentEvent: true,
    ...(delay === undefined ? {} : { delay }),
    ...(mentions === '' ? {} : { mentions }),
    ...(id === '' ? {} : await findQuotation(id, asObject(message), instance?.id, context)),
  }
}

/** Leaves out a quotation of a message that is neither stored nor given. */
async function findQuotation(
  id: string,
  message: Json,
  instance: NonNullable<DialectCall['instance']>['id'] | undefined,
  { ports }: DialectCall['context'],
): Promise<Json> {
  if (instance === undefined || id.length > 200) return {}
  const { messages } = await ports.messages.find(instance, { id, limit: 1, offset: 0 })
  if (messages.length > 0) return { replyid: id }
  const quoted = asText(message.conversation) || asText(asObject(message.extendedTextMessage).text)
  return quoted === '' ? {} : { replyid: id, quoted: quoted.slice(0, 4_096) }
}

const MEDIA: Readonly<Record<string, string>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  document: 'document',
}

const shared = { area: 'Messages', opens: 'instance', status: 201, method: 'POST' } as const

export const evolutionSendRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    path: '/message/sendText',
    name: 'sendText',
    summary: 'Send a text',
    operations: [sendText],
    differs: 'A link has a preview unless `linkPreview` is false. `{{name}}` is sent as it is.',
    body: object(
      {
        ...sendFields,
        text: { ...text('The text.', 65_536), minLength: 1 },
        linkPreview: flag('Show a preview of the first link. Default: true.'),
      },
      ['number', 'text'],
    ),
    async handle(call) {
      const { linkPreview, text: written } = call.body
      const wanted = linkPreview === undefined || isOn(linkPreview)
      const send = (isPreviewed: boolean) => sendBy(call, sendText, { text: written, linkPreview: isPreviewed })
      if (!wanted || linkPreview !== undefined) return await send(wanted)
      // Nobody asked for the preview, so it must not keep the text from being sent.
      return await send(true).catch((error: unknown) => {
        if (error instanceof GatewayError && error.code === 'URL_NOT_ALLOWED') return send(false)
        throw error
      })
    },
  },
  {
    ...shared,
    path: '/message/sendMedia',
    name: 'sendMedia',
    summary: 'Send an image, video, audio or document',
    operations: [sendMedia],
    fileFields: ['media'],
    differs: 'The part of a form (`multipart/form-data`) that holds the file may have any name; a form holds one file.',
    body: object(
      {
        ...sendFields,
        mediatype: choice('Kind of file.', ...Object.keys(MEDIA)),
        media: file('The file: a URL, or base64.'),
        mimetype: text('Its media type.', 200),
        caption: text('Text below it.', 65_536),
        fileName: text('Name of a document.', DOCUMENT_NAME_MAX),
        gifPlayback: flag('Show a video as an animation.'),
      },
      ['number', 'mediatype', 'media'],
    ),
    handle(call) {
      const { mediatype, media, mimetype, caption, fileName, gifPlayback } = call.body
      const isDocument = mediatype === 'document'
      const type = mediatype === 'video' && isOn(gifPlayback) ? 'videoplay' : MEDIA[String(mediatype)]
      return sendBy(call, sendMedia, {
        type,
        file: media,
        ...(asText(caption) === '' || mediatype === 'audio' ? {} : { text: caption }),
        ...(isDocument && asText(fileName) !== '' ? { docName: fileName } : {}),
        ...(mediatype !== 'image' && asText(mimetype) !== '' ? { mimetype } : {}),
      })
    },
  },
  ...[
    {
      path: '/message/sendWhatsAppAudio',
      name: 'sendWhatsAppAudio',
      from: 'audio',
      type: 'ptt',
      what: 'voice message',
    },
    { path: '/message/sendPtv', name: 'sendPtv', from: 'video', type: 'ptv', what: 'round video' },
    { path: '/message/sendSticker', name: 'sendSticker', from: 'sticker', type: 'sticker', what: 'sticker' },
  ].map(
    ({ path, name, from, type, what }): DialectRoute => ({
      ...shared,
      path,
      name,
      summary: `Send a ${what}`,
      operations: [sendMedia],
      fileFields: [from],
      ...(type === 'ptt'
        ? { differs: 'Sounds without Opus need ffmpeg at the gateway. `encoding` changes nothing.' }
        : {}),
      body: object({ ...sendFields, [from]: file(`The ${what}: a URL, or base64.`) }, ['number', from]),
      handle: (call) => sendBy(call, sendMedia, { type, file: call.body[from] }),
    }),
  ),
  {
    ...shared,
    path: '/message/sendLocation',
    name: 'sendLocation',
    summary: 'Send a location',
    operations: [sendLocation],
    body: object(
      {
        ...sendFields,
        latitude: field.decimal('Degrees north.'),
        longitude: field.decimal('Degrees east.'),
        name: text('Its name.', 500),
        address: text('Its address.', 1_000),
      },
      ['number', 'latitude', 'longitude'],
    ),
    handle(call) {
      const { latitude, longitude, name, address } = call.body
      return sendBy(call, sendLocation, {
        latitude,
        longitude,
        ...(asText(name) === '' ? {} : { name }),
        ...(asText(address) === '' ? {} : { address }),
      })
    },
  },
  {
    ...shared,
    path: '/message/sendContact',
    name: 'sendContact',
    summary: 'Send contact cards in one message',
    operations: [sendContact],
    differs: '`wuid` is not needed: the card has the account of its number.',
    body: object(
      {
        ...sendFields,
        contact: {
          ...list(
            object(
              {
                fullName: { ...text('Name.', 500), minLength: 1 },
                phoneNumber: { ...text('Number, with country code.', 100), minLength: 1 },
                wuid: text('The number in digits.', 100),
                organization: text('Organization.', 500),
                email: text('Mail address.', 500),
                url: text('Address of a page.', 2_000),
              },
              ['fullName', 'phoneNumber'],
            ),
            'The contacts.',
            20,
          ),
          minItems: 1,
        },
      },
      ['number', 'contact'],
    ),
    handle(call) {
      const cards = (call.body.contact as readonly Json[]).map(
        ({ fullName, phoneNumber, organization, email, url }) => ({
          ...{ fullName, phoneNumber },
          ...(asText(organization) === '' ? {} : { organization }),
          ...(asText(email) === '' ? {} : { email }),
          ...(asText(url) === '' ? {} : { url }),
        }),
      )
      const [first, ...others] = cards
      return sendBy(call, sendContact, { ...first, ...(others.length === 0 ? {} : { others }) })
    },
  },
  {
    ...shared,
    path: '/message/sendReaction',
    name: 'sendReaction',
    summary: 'React to a message, or take the reaction back',
    operations: [reactToMessage],
    differs: 'Only messages of others can be reacted to.',
    body: object({ key: field.messageKey, reaction: text('One emoji; empty takes the reaction back.', 100) }, [
      'key',
      'reaction',
    ]),
    async handle(call) {
      const { key, reaction } = call.body
      const { id, remoteJid } = asObject(key)
      const reply = await call.ask(reactToMessage, { body: { number: toChat(remoteJid), id, text: reaction } })
      const made = evolutionMessage(
        { ...reply, fromMe: true, wasSentByApi: true },
        { instanceId: call.instance?.id ?? '' },
      )
      return { ...made, messageType: 'reactionMessage', message: { reactionMessage: { key, text: reaction } } }
    },
  },
  {
    ...shared,
    path: '/message/sendStatus',
    name: 'sendStatus',
    summary: 'Post a status',
    operations: [sendStatus],
    fileFields: ['content'],
    differs: 'The background is the nearest of the 19 colors that `POST /send/status` has.',
    body: object(
      {
        type: choice('Kind of post.', 'text', 'image', 'video', 'audio'),
        content: file('The text, or the file as a URL or base64.'),
        caption: text('Text below an image or video.', 65_536),
        backgroundColor: text('Background of a text, such as `#008000`.', 20),
        font: field.whole('Font of a text.', 0, 20),
        statusJidList: list(text('A JID.', 100), 'People who may see it.', 5_000),
        allContacts: flag('Show it to the address book.'),
      },
      ['type', 'content'],
    ),
    handle: postStatus,
  },
]

/** Colors of the network's backgrounds 1 to 19, in the order of `POST /send/status`. */
const BACKGROUNDS = [
  0x25d366, 0x128c7e, 0x075e54, 0x34b7f1, 0x1e6e99, 0x3b5998, 0x5b51d8, 0x8b3fd9, 0xc13584, 0xe1306c, 0xf4511e,
  0xff8a00, 0xfbbc05, 0x8d6e63, 0x6d4c41, 0x546e7a, 0x37474f, 0x212121, 0xb71c1c,
]

async function postStatus(call: DialectCall): Promise<Json> {
  const { type, content, caption, backgroundColor, font, statusJidList, allContacts } = call.body
  const isText = type === 'text'
  const recipients = Array.isArray(statusJidList) ? statusJidList.map(toChat) : []
  const reply = await call.ask(sendStatus, {
    body: {
      type,
      ...(isText ? { text: content, background_color: nearestBackground(asText(backgroundColor)) } : { file: content }),
      ...(isText && font !== undefined ? { font } : {}),
      ...(asText(caption) === '' || isText ? {} : { text: caption }),
      ...(isOn(allContacts) || recipients.length === 0
        ? { audience: 'contacts' }
        : { audience: 'allowlist', recipients }),
    },
  })
  return evolutionMessage(reply, { instanceId: call.instance?.id ?? '' })
}

/** Returns the number of the background whose color is nearest. */
function nearestBackground(color: string): number {
  const wanted = /^#?([0-9a-f]{6})$/i.exec(color)?.[1]
  if (wanted === undefined) return 1
  const value = Number.parseInt(wanted, 16)
  const distances = BACKGROUNDS.map((one) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((value >> shift) & 255)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances)) + 1
}
