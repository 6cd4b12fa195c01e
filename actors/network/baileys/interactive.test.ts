import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, proto } from '@whiskeysockets/baileys'
import type { Menu, MenuType } from '../../../schemas/choices/menu.js'
import { parseMenu } from '../../../schemas/choices/parse.js'
import { contentForCallers } from './content.js'
import { type ComposeOptions, composeMenu, composePixButton, extraNodes, type UploadedHeader } from './interactive.js'

const image = 'https://example.com/a.png'
const uploaded = (url: string): UploadedHeader => ({
  imageMessage: { url, mimetype: 'image/jpeg', mediaKey: Buffer.alloc(32, 1) },
})

function makeMenu(type: MenuType, choices: readonly string[], more: Record<string, unknown> = {}): Menu {
  return parseMenu({ type, text: 'Choose', choices, ...more }).menu
}

/** The message as the other side decodes it, in plain JSON and without its secret, which is checked to be one. */
function travelled(message: proto.IMessage): Record<string, unknown> {
  const bytes = proto.Message.encode(message as proto.Message).finish()
  const decoded = proto.Message.decode(bytes)
  assert.equal(decoded.messageContextInfo?.messageSecret?.length, 32)
  assert.deepEqual(proto.Message.encode(decoded).finish(), bytes)
  const { messageContextInfo, ...rest } = decoded.toJSON() as Record<string, unknown>
  delete (messageContextInfo as Record<string, unknown>).messageSecret
  return Object.keys(messageContextInfo as object).length === 0 ? rest : { ...rest, messageContextInfo }
}

function composed(menu: Menu, options?: ComposeOptions): Record<string, unknown> {
  return travelled(composeMenu(menu, options))
}

const button = (name: string, params: object): object => ({ name, buttonParamsJson: JSON.stringify(params) })
const flow = (...buttons: object[]): object => ({ buttons, messageParamsJson: '{}', messageVersion: 1 })

describe('a menu as a message of the network', () => {
  it('of buttons is a native flow, each button with its parameters', () => {
    const choices = ['Yes|y', 'Code|copy:ABC', 'Ring|call:+5511999999999', 'Site|https://example.com']
    assert.deepEqual(composed(makeMenu('button', choices, { footerText: 'Foot' })), {
      interactiveMessage: {
        header: { title: '', hasMediaAttachment: false },
        body: { text: 'Choose' },
        footer: { text: 'Foot' },
        nativeFlowMessage: flow(
          button('quick_reply', { display_text: 'Yes', id: 'y' }),
          button('cta_copy', { display_text: 'Code', copy_code: 'ABC' }),
          button('cta_call', { display_text: 'Ring', phone_number: '+5511999999999' }),
          button('cta_url', { display_text: 'Site', url: 'https://example.com', merchant_url: 'https://example.com' }),
        ),
      },
    })
  })

  it('shows its image in the header, and has the given answers', () => {
    const menu = makeMenu('button', ['Yes'], { imageButton: image })
    const message = composed(menu, { media: [uploaded('a')], contextInfo: { stanzaId: 'Q1', expiration: 86400 } })
    const { header, contextInfo } = message.interactiveMessage as Record<string, Record<string, unknown>>
    assert.deepEqual(header, {
      title: '',
      hasMediaAttachment: true,
      imageMessage: { url: 'a', mimetype: 'image/jpeg', mediaKey: Buffer.alloc(32, 1).toString('base64') },
    })
    assert.deepEqual(contextInfo, { stanzaId: 'Q1', expiration: 86400 })
    assert.throws(() => composeMenu(menu), /A menu with 1 media was given 0/)
  })

  it('of a list is the older list message', () => {
    const choices = ['[Phones]', 'One|p1|Small', '[Rest]', 'Two']
    assert.deepEqual(composed(makeMenu('list', choices, { listButton: 'Open', footerText: 'Foot' })), {
      listMessage: {
        description: 'Choose',
        buttonText: 'Open',
        footerText: 'Foot',
        listType: 'SINGLE_SELECT',
        sections: [
          { title: 'Phones', rows: [{ title: 'One', description: 'Small', rowId: 'p1' }] },
          { title: 'Rest', rows: [{ title: 'Two', rowId: 'Two' }] },
        ],
      },
    })
  })

  it('of a poll has the version for its number of choices', () => {
    const poll = (selectableOptionsCount: number): object => ({
      name: 'Choose',
      options: [{ optionName: 'A' }, { optionName: 'B' }],
      selectableOptionsCount,
    })
    const menu = (selectableCount: number): Menu => makeMenu('poll', ['A', 'B'], { selectableCount })
    assert.deepEqual(composed(menu(1)), { pollCreationMessageV3: poll(1) })
    assert.deepEqual(composed(menu(0)), { pollCreationMessage: poll(0) })
    assert.deepEqual(composed(menu(2)), { pollCreationMessage: poll(2) })
    assert.deepEqual(composed(menu(1), { toAnnouncementGroup: true }), { pollCreationMessageV2: poll(1) })
  })

  it('of a carousel has a header, a body and buttons on each card', () => {
    const choices = ['[One]', 'Take|1', '[Two]', `{${image}}`, 'Code|copy:2', '[Three]', `{${image}}`, 'Take|3']
    const card = (text: string, header: object, one: object): object => ({
      header: { title: '', ...header },
      body: { text },
      nativeFlowMessage: flow(one),
    })
    const withImage = (url: string): object => ({
      hasMediaAttachment: true,
      imageMessage: { url, mimetype: 'image/jpeg', mediaKey: Buffer.alloc(32, 1).toString('base64') },
    })
    assert.deepEqual(composed(makeMenu('carousel', choices), { media: [uploaded('a'), uploaded('b')] }), {
      interactiveMessage: {
        header: { title: '', hasMediaAttachment: false },
        body: { text: 'Choose' },
        carouselMessage: {
          cards: [
            card('One', { hasMediaAttachment: false }, button('quick_reply', { display_text: 'Take', id: '1' })),
            card('Two', withImage('a'), button('cta_copy', { display_text: 'Code', copy_code: '2' })),
            card('Three', withImage('b'), button('quick_reply', { display_text: 'Take', id: '3' })),
          ],
          messageVersion: 1,
          carouselCardType: 'HSCROLL_CARDS',
        },
      },
      messageContextInfo: { deviceListMetadata: {}, deviceListMetadataVersion: 2 },
    })
  })

  it('of a single card has buttons, with the texts of both', () => {
    const message = composed(makeMenu('carousel', ['[One]', `{${image}}`, 'Take|1']), { media: [uploaded('a')] })
    const { header, body, nativeFlowMessage, carouselMessage } = message.interactiveMessage as Record<string, unknown>
    assert.equal((header as { hasMediaAttachment: boolean }).hasMediaAttachment, true)
    assert.deepEqual(body, { text: 'Choose\n\nOne' })
    assert.deepEqual(nativeFlowMessage, flow(button('quick_reply', { display_text: 'Take', id: '1' })))
    assert.equal(carouselMessage, undefined)
  })

  it('has another secret each time', () => {
    const menu = makeMenu('poll', ['A', 'B'])
    const secret = (): string => Buffer.from(composeMenu(menu).messageContextInfo?.messageSecret ?? []).toString('hex')
    assert.notEqual(secret(), secret())
  })
})

describe('a payment button', () => {
  it('has the key, its kind and the name of the receiver', () => {
    const message = travelled(composePixButton({ type: 'EVP', key: '123e4567', name: 'Ana' }, { stanzaId: 'Q1' }))
    const { nativeFlowMessage, contextInfo } = message.interactiveMessage as Record<string, Record<string, unknown>>
    assert.deepEqual(contextInfo, { stanzaId: 'Q1' })
    const [only, ...others] = (nativeFlowMessage?.buttons ?? []) as { name: string; buttonParamsJson: string }[]
    assert.deepEqual(others, [])
    assert.equal(only?.name, 'payment_info')
    const params = JSON.parse(only?.buttonParamsJson ?? '') as Record<string, unknown>
    assert.match(String(params.reference_id), /^[0-9A-F]{11}$/)
    assert.equal(params.currency, 'BRL')
    assert.deepEqual(params.payment_settings, [
      { type: 'pix_static_code', pix_static_code: { merchant_name: 'Ana', key: '123e4567', key_type: 'EVP' } },
    ])
  })
})

describe('the nodes beside a message', () => {
  const nativeFlow = (attrs: BinaryNode['attrs']): BinaryNode => ({
    tag: 'interactive',
    attrs: { type: 'native_flow', v: '1' },
    content: [{ tag: 'native_flow', attrs }],
  })

  /** What stands in `biz` first; that the rest is as it must be is checked. */
  function kindIn([node, ...others]: readonly BinaryNode[]): unknown {
    assert.deepEqual(others, [])
    assert.deepEqual(node?.attrs, { actual_actors: '2', host_storage: '2', privacy_mode_ts: '1700000000' })
    const [kind, quality] = (node?.content ?? []) as BinaryNode[]
    assert.match(quality?.attrs.decision_id ?? '', /^[0-9a-f]{40}$/)
    assert.deepEqual(quality, {
      tag: 'quality_control',
      attrs: { decision_id: quality?.attrs.decision_id, source_type: 'third_party' },
      content: [{ tag: 'decision_source', attrs: { value: 'df' } }],
    })
    return kind
  }

  /** From the stored bytes, as when a message is relayed again. */
  function listNodes(message: proto.IMessage): BinaryNode[] {
    const stored = proto.Message.encode(message as proto.Message).finish()
    return extraNodes(proto.Message.decode(stored), 1_700_000_000_999)
  }

  it('make clients show buttons and carousels', () => {
    const mixed = nativeFlow({ v: '9', name: 'mixed' })
    assert.deepEqual(kindIn(listNodes(composeMenu(makeMenu('button', ['Yes'])))), mixed)
    assert.deepEqual(kindIn(listNodes(composeMenu(makeMenu('carousel', ['[a]', 'A', '[b]', 'B'])))), mixed)
  })

  it('make clients show lists', () => {
    const list = { tag: 'list', attrs: { v: '2', type: 'product_list' } }
    assert.deepEqual(kindIn(listNodes(composeMenu(makeMenu('list', ['A'])))), list)
  })

  it('of a payment are bare', () => {
    assert.deepEqual(listNodes(composePixButton({ type: 'CPF', key: '1', name: 'Pix' })), [
      { tag: 'biz', attrs: {}, content: [nativeFlow({ name: 'payment_info' })] },
    ])
  })

  it('arrive as they were made', async () => {
    const [node] = listNodes(composeMenu(makeMenu('button', ['Yes'])))
    assert.ok(node)
    assert.deepEqual(JSON.parse(JSON.stringify(await decodeBinaryNode(encodeBinaryNode(node)))), node)
  })

  it('mark the creation of an event', () => {
    assert.deepEqual(listNodes({ eventMessage: { name: 'Tasting' } }), [
      { tag: 'meta', attrs: { event_type: 'creation' } },
    ])
  })

  it('mark the creation of a poll', () => {
    for (const selectableCount of [0, 1]) {
      const poll = composeMenu(makeMenu('poll', ['A', 'B'], { selectableCount }))
      assert.deepEqual(listNodes(poll), [{ tag: 'meta', attrs: { polltype: 'creation' } }])
    }
  })

  it('are absent from other messages', () => {
    assert.deepEqual(listNodes({ extendedTextMessage: { text: 'Hi' } }), [])
    assert.deepEqual(listNodes({ imageMessage: { url: 'a' } }), [])
  })
})

describe('the record of a menu', () => {
  const described = (menu: Menu): unknown => {
    const content = contentForCallers(composeMenu(menu))
    return { messageType: content?.messageType, text: content?.text, options: content?.convertOptions }
  }

  it('has its text and the labels of its choices', () => {
    const options = 'A|B'
    assert.deepEqual(described(makeMenu('button', ['A|1', 'B|copy:2'])), {
      messageType: 'button',
      text: 'Choose',
      options,
    })
    assert.deepEqual(described(makeMenu('list', ['[S]', 'A|1', '[T]', 'B|2'])), {
      messageType: 'list',
      text: 'Choose',
      options,
    })
    assert.deepEqual(described(makeMenu('poll', ['A', 'B'])), { messageType: 'poll', text: 'Choose', options })
    assert.deepEqual(described(makeMenu('carousel', ['[S]', 'A', '[T]', 'B'])), {
      messageType: 'button',
      text: 'Choose',
      options,
    })
  })
})
