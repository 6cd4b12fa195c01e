import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { GroupInfo } from '../../../../schemas/group-info.js'
import type { InstanceId, Jid } from '../../../../schemas/ids.js'
import type { NetworkEvent } from '../../port/events.js'
import { BaileysGroups } from './groups.js'

const OWN = '5511999990001@s.whatsapp.net' as Jid
const [FORMER, NEW] = ['120363000000000001', '120363000000000002']

function groupNode(id = '', subject = ''): BinaryNode {
  return { tag: 'group', attrs: { id, subject, creation: '1' }, content: [{ tag: 'participant', attrs: { jid: OWN } }] }
}

function notification(from: string | undefined, ...content: BinaryNode[]): BinaryNode {
  return { tag: 'notification', attrs: { from: `${from}@g.us`, type: 'w:gp2', id: '1', t: '1' }, content }
}

describe('the list of all groups', () => {
  it('keeps what a notification changed after the network had made the list', async () => {
    const told: NetworkEvent[] = []
    const groups = new BaileysGroups({
      instance: 'i' as InstanceId,
      life: 'i',
      memory: new LRUCache<string, GroupInfo>({ max: 10 }),
      stored: async () => null,
      // The list and what follows it come in one piece: the notifications are heard first.
      async query() {
        groups.onNotification(notification(NEW, { tag: 'create', attrs: {}, content: [groupNode(NEW, 'The new one')] }))
        groups.onNotification(notification(FORMER, { tag: 'subject', attrs: { subject: 'Its new name' } }))
        const list: BinaryNode = { tag: 'groups', attrs: {}, content: [groupNode(FORMER, 'Its former name')] }
        return { tag: 'iq', attrs: {}, content: [list] }
      },
      emit: (event) => told.push(event),
      own: () => ({ jid: OWN, lid: null }) as never,
    })
    await groups.fetchAll()
    const after = told.slice(told.findIndex(({ type }) => type === 'groups') + 1)
    assert.deepEqual(
      after.map((event) => (event.type === 'group' ? event.group.name : event)),
      ['The new one', { type: 'groupDoubt', group: `${FORMER}@g.us` }],
    )
    // Reads the newer state from memory, not the one of the list.
    assert.equal((await groups.get(`${NEW}@g.us` as Jid)).name, 'The new one')
  })
})
