/** Sends of menus: polls, lists, buttons and PIX keys. */
import { GatewayError } from '../../../schemas/errors.js'
import { sendMenu, sendPixButton } from '../../routes/send/menu.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asObject, asText, choice, list, object, sendFields, text, whole } from './fields.js'
import { sendBy } from './send.js'

// Bound: 4,096, a text of a menu.

const shared = { area: 'Messages', opens: 'instance', status: 201, method: 'POST' } as const

const PIX_TYPES: Readonly<Record<string, string>> = {
  phone: 'PHONE',
  email: 'EMAIL',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  random: 'EVP',
}

export const menuRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    path: '/message/sendPoll',
    name: 'sendPoll',
    summary: 'Send a poll',
    operations: [sendMenu],
    body: object(
      {
        ...sendFields,
        name: { ...text('The question.', 255), minLength: 1 },
        selectableCount: whole('How many options a person may choose; 0 for any number.', 0, 10),
        values: { ...list(text('An option.', 100), 'The options.', 12), minItems: 2 },
      },
      ['number', 'name', 'selectableCount', 'values'],
    ),
    handle(call) {
      const { name, selectableCount, values } = call.body
      const choices = (values as readonly string[]).map(escaped)
      return sendBy(call, sendMenu, { type: 'poll', text: name, choices, selectableCount })
    },
  },
  {
    ...shared,
    path: '/message/sendList',
    name: 'sendList',
    summary: 'Send a list',
    operations: [sendMenu],
    differs: 'Title and description are one text.',
    body: object(
      {
        ...sendFields,
        title: text('Title.', 1_000),
        description: text('Text.', 4_096),
        footerText: text('Footer.', 1_000),
        buttonText: { ...text('Label of the button that opens the list.', 100), minLength: 1 },
        sections: {
          ...list(
            object(
              {
                title: text('Title of the section.', 1_000),
                rows: list(
                  object(
                    { title: text('Label.', 1_000), description: text('Description.', 1_000), rowId: text('Id.', 256) },
                    ['title'],
                  ),
                  'Its items.',
                  100,
                ),
              },
              ['rows'],
            ),
            'The sections.',
            10,
          ),
          minItems: 1,
        },
      },
      ['number', 'title', 'buttonText', 'sections'],
    ),
    handle(call) {
      const { buttonText, footerText, sections } = call.body
      return sendBy(call, sendMenu, {
        type: 'list',
        text: titled(call),
        listButton: buttonText,
        ...(asText(footerText) === '' ? {} : { footerText }),
        choices: (sections as readonly Json[]).flatMap(({ title, rows }) => [
          ...(asText(title) === '' ? [] : [`[${escaped(asText(title))}]`]),
          ...(rows as readonly Json[]).map((row) =>
            [row.title, row.rowId ?? '', row.description ?? ''].map((one) => escaped(asText(one))).join('|'),
          ),
        ]),
      })
    },
  },
  {
    ...shared,
    path: '/message/sendButtons',
    name: 'sendButtons',
    summary: 'Send buttons, or a PIX key',
    operations: [sendMenu, sendPixButton],
    differs: 'Title and description are one text. A button of PIX stands alone.',
    body: object(
      {
        ...sendFields,
        title: text('Title.', 1_000),
        description: text('Text.', 4_096),
        footer: text('Footer.', 1_000),
        thumbnailUrl: text('Picture above the text.', 2_000),
        buttons: {
          ...list(
            object(
              {
                type: choice('Kind of button.', 'reply', 'copy', 'url', 'call', 'pix'),
                displayText: text('Label.', 1_000),
                id: text('Id of a reply button.', 256),
                copyCode: text('Code to copy.', 4_096),
                url: text('Address.', 4_096),
                phoneNumber: text('Number to call.', 100),
                currency: text('Currency of a PIX key.', 10),
                name: text('Name of the owner of a PIX key.', 500),
                keyType: choice('Kind of PIX key.', ...Object.keys(PIX_TYPES)),
                key: text('PIX key.', 200),
              },
              ['type'],
            ),
            'The buttons.',
            10,
          ),
          minItems: 1,
        },
      },
      ['number', 'buttons'],
    ),
    handle: sendButtons,
  },
]

function sendButtons(call: DialectCall): Promise<Json> {
  const { footer, thumbnailUrl } = call.body
  const buttons = (call.body.buttons as readonly unknown[]).map(asObject)
  const pix = buttons.find(({ type }) => type === 'pix')
  if (pix !== undefined) {
    if (buttons.length > 1) throw refused('buttons', 'has a button of PIX, which stands alone')
    const { keyType, key, name } = pix
    return sendBy(call, sendPixButton, {
      pixKey: key,
      ...(keyType === undefined ? {} : { pixType: PIX_TYPES[String(keyType)] }),
      ...(asText(name) === '' ? {} : { pixName: name }),
    })
  }
  const kinds = new Set(buttons.map(({ type }) => (type === 'reply' ? 'reply' : 'other')))
  if (kinds.size > 1) throw refused('buttons', 'mixes reply buttons with other kinds')
  if (kinds.has('reply') && buttons.length > 3) throw refused('buttons', 'must have at most 3 reply buttons')
  return sendBy(call, sendMenu, {
    type: 'button',
    text: titled(call),
    ...(asText(footer) === '' ? {} : { footerText: footer }),
    ...(asText(thumbnailUrl) === '' ? {} : { imageButton: thumbnailUrl }),
    choices: buttons.map(formatChoice),
  })
}

function formatChoice({ type, displayText, id, copyCode, url, phoneNumber }: Json): string {
  const label = escaped(asText(displayText))
  switch (type) {
    case 'copy':
      return `${label}|copy:${asText(copyCode)}`
    case 'url':
      return `${label}|url:${asText(url)}`
    case 'call':
      return `${label}|call:${asText(phoneNumber)}`
    default:
      return asText(id) === '' ? label : `${label}|${escaped(asText(id))}`
  }
}

function titled({ body: { title, description } }: Pick<DialectCall, 'body'>): string {
  const [head, rest] = [asText(title), asText(description)]
  if (head === '') return rest
  return rest === '' ? head : `*${head}*\n\n${rest}`
}

/** Escapes what our choices read as a mark (docs/choices.md). */
function escaped(given: string): string {
  return given.replace(/[\\|[\]{}\n]/g, (mark) => (mark === '\n' ? ' ' : `\\${mark}`))
}

function refused(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', { details: [{ field, why }] })
}
