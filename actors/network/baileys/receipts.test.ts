import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { translateReceipt } from './receipts.js'

const OWN = { jid: '5511999990001:7@s.whatsapp.net', lid: '100001@lid' }
const [BEN, BEN_LID] = ['5511999990002@s.whatsapp.net', '100002@lid']
const EVE = '5511999990003@s.whatsapp.net'

const read = (attrs: Record<string, string>) =>
  translateReceipt({ tag: 'receipt', attrs: { id: 'M1', t: '1000', type: 'read', ...attrs } }, OWN)[0] ?? null

describe('a receipt', () => {
  it('of a direct chat has the other address of its sender', () => {
    const event = read({ from: '100002:1@lid', sender_pn: BEN })
    assert.deepEqual(
      [event?.chat, event?.sender, event?.byMe],
      [{ pn: BEN, lid: BEN_LID }, { pn: BEN, lid: BEN_LID }, false],
    )
  })

  it('ignores addresses of another side', () => {
    const strange = { participant_pn: EVE, peer_recipient_pn: EVE, recipient_pn: EVE, recipient: EVE, participant: EVE }
    const event = read({ from: '100002@lid', ...strange })
    assert.deepEqual([event?.chat, event?.sender, event?.byMe], [{ lid: BEN_LID }, { lid: BEN_LID }, false])
    const inGroup = read({ from: '120363000000000001@g.us', participant: BEN_LID, sender_pn: EVE, participant_pn: BEN })
    assert.deepEqual(
      [inGroup?.chat, inGroup?.sender],
      [{ group: '120363000000000001@g.us' }, { pn: BEN, lid: BEN_LID }],
    )
  })

  it('of an own device belongs to the chat of the named person', () => {
    const attrs = { recipient: BEN_LID, peer_recipient_pn: BEN, sender_pn: '5511999990001@s.whatsapp.net' }
    for (const type of ['read', 'read-self']) {
      const event = read({ from: '100001@lid', type, ...attrs })
      assert.deepEqual(
        [event?.chat, event?.sender, event?.byMe],
        [{ pn: BEN, lid: BEN_LID }, { pn: '5511999990001@s.whatsapp.net', lid: '100001@lid' }, true],
      )
    }
    const other = read({ from: '100001@lid', recipient: BEN_LID, sender_pn: EVE, participant_pn: EVE })
    assert.deepEqual(other?.chat, { lid: BEN_LID })
  })

  it('of reading by this account is accepted from its own devices only', () => {
    for (const type of ['read-self', 'played-self']) {
      assert.equal(read({ from: BEN, type }), null)
      assert.equal(read({ from: BEN, type, participant: OWN.lid }), null)
      assert.equal(read({ from: '120363000000000001@g.us', participant: BEN, type }), null)
      assert.equal(read({ from: '120363000000000001@g.us', participant: '100001:2@lid', type })?.byMe, true)
    }
  })
})
