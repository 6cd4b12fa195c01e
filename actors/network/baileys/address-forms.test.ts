import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { AddressForms, withMentions } from './address-forms.js'

const GROUP = '1203@g.us' as Jid
const OWN = { jid: '5511000000001:4@s.whatsapp.net', lid: '901@lid' }
const BEN = { pn: '5511000000002' as Jid, lid: '902@lid' as Jid }
const person = (pn: string): ChatAddress => ({ pn: `${pn}@s.whatsapp.net` as Jid })

function forms(group: Partial<GroupInfo> | null, known: Record<string, string> = {}) {
  const asked: Jid[][] = []
  const all = new AddressForms({
    group: async () => {
      if (group === null) throw new GatewayError('GROUP_REFUSED')
      return { participants: [], ...group } as unknown as GroupInfo
    },
    own: () => OWN,
    mapping: async (jid) => (known[jid] as Jid | undefined) ?? null,
    lookUp: async (numbers) => {
      asked.push([...numbers])
      return new Map([
        ['5511987654321@s.whatsapp.net' as Jid, { pn: '551187654321@s.whatsapp.net' as Jid, lid: '903@lid' as Jid }],
      ])
    },
  })
  return { forms: all, asked }
}

const message = (more: Partial<MessageForActor>) =>
  ({ isGroup: true, chat: { group: GROUP }, fromMe: false, sender: '', record: {}, ...more }) as MessageForActor

describe('the address of a person in a message', () => {
  it('is the one that the group or the direct chat uses', async () => {
    const record = { sender_pn: `${BEN.pn}@s.whatsapp.net`, sender_lid: BEN.lid }
    for (const [addressingMode, ben, own] of [
      ['lid', BEN.lid, OWN.lid],
      ['pn', `${BEN.pn}@s.whatsapp.net`, '5511000000001@s.whatsapp.net'],
    ] as const) {
      const { forms: group } = forms({ addressingMode })
      assert.equal(await group.author(message({ record })), ben)
      assert.equal(await group.author(message({ fromMe: true })), own)
    }
    const { forms: two } = forms(null)
    const chat = { pn: `${BEN.pn}@s.whatsapp.net` as Jid, lid: BEN.lid }
    assert.equal(await two.author(message({ isGroup: false, chat, record })), BEN.lid)
    assert.equal(await two.author(message({ isGroup: false, chat, fromMe: true })), OWN.lid)
    const numberOnly = message({ isGroup: false, chat: { pn: chat.pn }, fromMe: true })
    assert.equal(await two.author(numberOnly), '5511000000001@s.whatsapp.net')
  })

  it('is found among the members, then in the store, and stays as given if it is unknown', async () => {
    const participants = [
      { jid: '902@lid' as Jid, other: '5511000000002@s.whatsapp.net' as Jid, role: 'member' as const },
    ]
    const { forms: group } = forms({ addressingMode: 'lid', participants }, { '77@s.whatsapp.net': '904@lid' })
    const byNumber = (pn: string) => group.author(message({ record: { sender_pn: `${pn}@s.whatsapp.net` } }))
    assert.deepEqual(
      [await byNumber('5511000000002'), await byNumber('77'), await byNumber('78')],
      ['902@lid', '904@lid', '78@s.whatsapp.net'],
    )
    // A group that cannot be read now: as the library takes it.
    assert.equal(
      await forms(null).forms.author(message({ record: { sender_lid: '9@lid', sender_pn: '9@x' } })),
      '9@lid',
    )
  })

  it('is looked up once at the network for unknown numbers in mentions', async () => {
    const { forms: group, asked } = forms({ addressingMode: 'lid' })
    const mentions = [person('5511987654321'), person('5511987654321'), person('5511000009999')]
    const { mentions: written } = await group.people(
      { group: GROUP },
      { content: { kind: 'text', text: '' }, mentions },
    )
    assert.deepEqual(asked, [['5511987654321@s.whatsapp.net', '5511000009999@s.whatsapp.net']])
    assert.deepEqual(
      written.map(({ jid }) => jid),
      ['903@lid', '903@lid', '5511000009999@s.whatsapp.net'],
    )
    assert.equal(withMentions('oi @5511987654321', written), 'oi @903')
  })
})

describe('the digits behind an @', () => {
  const mentions = [{ jid: '902@lid' as Jid, digits: ['5511000000002', '902'] }]
  for (const [text, expected] of [
    ['@5511000000002', '@902'],
    ['oi, @5511000000002! @5511000000002', 'oi, @902! @902'],
    ['(@5511000000002)', '(@902)'],
    ['@55110000000029 is another number', '@55110000000029 is another number'],
    ['@5511000000003 is not mentioned', '@5511000000003 is not mentioned'],
    ['https://example.org/@5511000000002', 'https://example.org/@5511000000002'],
    ['mail a@5511000000002.example', 'mail a@5511000000002.example'],
  ] as const)
    it(`become those of the mention: ${text}`, () => assert.equal(withMentions(text, mentions), expected))
})
