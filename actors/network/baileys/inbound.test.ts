import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { InstanceId } from '../../../schemas/ids.js'
import type { WorkKey } from '../../../schemas/work.js'
import type { NetworkEvent } from '../port/events.js'
import type { GroupNames } from './group-names.js'
import { Inbound } from './inbound.js'

const GROUP = '120363000000000001@g.us'
const [BEN, BEN_LID, EVE] = ['5511999990002@s.whatsapp.net', '100002@lid', '5511999990003@s.whatsapp.net']

function heard(isGivenUp: (message: WorkKey) => boolean | Promise<boolean> = () => false) {
  const told: NetworkEvent[] = []
  const inbound = new Inbound({
    instance: 'i' as InstanceId,
    journal: {} as never,
    reader: {} as never,
    me: () => ({ id: '5511999990001:7@s.whatsapp.net', lid: '100001@lid' }),
    emit: (event) => told.push(event),
    hasSenderKey: async () => true,
    emitted: new LRUCache({ max: 10 }),
    groupNames: { want: () => {}, wait: async () => {} } as unknown as GroupNames,
    fail: (error) => assert.fail(String(error)),
    history: { take: () => assert.fail(), recall: async () => null },
    notes: { note: () => assert.fail(), noteVote: () => {}, came: () => {} },
    copies: { hold: () => assert.fail(), cameFor: () => {} },
    placeholders: { note: () => assert.fail(), received: () => [], answered: async () => () => [] },
    retries: { note() {}, came() {} },
    blocked: { isGivenUp },
    onPhoneAnswer: () => assert.fail(),
  })
  return { inbound, told }
}

function stanza(attrs: Record<string, string>, ...types: string[]) {
  const ciphertexts = types.map((type) => ({ tag: 'enc', attrs: { type }, content: Buffer.from(type) }))
  const node: BinaryNode = { tag: 'message', attrs: { id: 'M1', t: '1000', ...attrs }, content: ciphertexts }
  return { node, ciphertexts: ciphertexts.map(({ content }) => content) }
}

describe('a message stanza', () => {
  it('of a group gives the addresses of its author, and ignores those of direct chats', async () => {
    const plaintext = Buffer.concat([proto.Message.encode({ conversation: 'hello' }).finish(), Buffer.from([1])])
    for (const [attrs, author] of [
      [{ sender_pn: EVE, peer_recipient_pn: EVE }, { lid: BEN_LID }],
      [
        { sender_pn: EVE, participant_pn: BEN },
        { lid: BEN_LID, pn: BEN },
      ],
    ] as const) {
      const { inbound, told } = heard()
      const { node, ciphertexts } = stanza({ from: GROUP, participant: BEN_LID, ...attrs }, 'skmsg')
      inbound.announce(node)
      const tell = await inbound.decrypted(ciphertexts[0] as Uint8Array, plaintext)
      tell()
      const [message] = told.flatMap((event) => (event.type === 'message' ? [event.message] : []))
      assert.deepEqual([message?.senderLid, message?.senderPn], [BEN_LID, 'pn' in author ? BEN : undefined])
      assert.deepEqual(
        told.flatMap((event) => (event.type === 'mappings' ? event.mappings : [])),
        'pn' in author ? [author] : [],
      )
      // Nor does the library see it.
      assert.equal(node.attrs.sender_pn, undefined)
    }
  })

  it('over which the process ended itself twice is stored with its bytes, and nobody looks into it', async () => {
    const asked: WorkKey[] = []
    const { inbound, told } = heard(async (message) => asked.push(message) > 0)
    const { node, ciphertexts } = stanza({ from: BEN }, 'msg')
    inbound.announce(node)
    const plaintext = Buffer.concat([proto.Message.encode({ conversation: 'hello' }).finish(), Buffer.from([1])])
    const tell = await inbound.decrypted(ciphertexts[0] as Uint8Array, plaintext)
    tell()
    const [message] = told.flatMap((event) => (event.type === 'message' ? [event.message] : []))
    assert.deepEqual(
      [message?.messageid, message?.messageType, message?.text],
      ['M1', 'other', 'A message that cannot be parsed'],
    )
    assert.deepEqual(
      asked.map(({ kind, id }) => [kind, id]),
      [['frame', 'M1']],
    )
    assert.deepEqual([...inbound.handOn(ciphertexts[0] as Uint8Array, plaintext)], [1])
  })

  it('counts as unhandled if the library decrypts it, but not if the library refuses its first ciphertext', () => {
    for (const [types, id] of [
      [['msmsg', 'skmsg'], undefined],
      [['skmsg', 'msmsg'], 'M1'],
      [['unknown', 'msg'], 'M1'],
    ] as const) {
      const { inbound } = heard()
      inbound.announce(stanza({ from: BEN }, ...types).node)
      assert.equal(inbound.unhandled?.id, id)
    }
  })

  it('of a group may bring a sender key, also in a copy for the own device, and a direct message may not', () => {
    const item = { groupId: GROUP, axolotlSenderKeyDistributionMessage: Buffer.from([1, 2, 3]) }
    const bare = { senderKeyDistributionMessage: item }
    for (const [from, message, isFound] of [
      [GROUP, bare, true],
      [GROUP, { deviceSentMessage: { destinationJid: GROUP, message: bare } }, true],
      [GROUP, { conversation: 'hello' }, false],
      [BEN, bare, false],
    ] as const) {
      const { inbound } = heard()
      const { node, ciphertexts } = stanza({ from, ...(from === GROUP ? { participant: BEN_LID } : {}) }, 'msg')
      inbound.announce(node)
      const plaintext = Buffer.concat([proto.Message.encode(message).finish(), Buffer.from([1])])
      const found = inbound.senderKeyIn(ciphertexts[0] as Uint8Array, plaintext)
      assert.equal(found?.authorJid, isFound ? BEN_LID : undefined)
      assert.equal(found?.item.groupId, isFound ? GROUP : undefined)
      assert.equal(inbound.senderKeyIn(ciphertexts[0] as Uint8Array, Buffer.from([255, 255, 0])), null)
    }
  })
})
