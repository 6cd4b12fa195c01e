import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dropStrangeAddresses, otherAddresses } from './addressing.js'

const OWN = { jid: '5511999990001:7@s.whatsapp.net', lid: '100001@lid' }
const ALL = Object.fromEntries(
  ['participant', 'sender', 'peer_recipient', 'recipient'].flatMap((who) =>
    ['pn', 'lid'].map((what) => [`${who}_${what}`, `${who} ${what}`]),
  ),
)

it('reads the other addresses of a stanza by its kind, and deletes the rest before the library reads it', () => {
  for (const [from, sender, recipient] of [
    ['120363000000000001@g.us', 'participant', []],
    ['status@broadcast', 'participant', []],
    ['5511999990002@s.whatsapp.net', 'sender', []],
    ['100002:4@lid', 'sender', []],
    ['100001:4@lid', 'sender', ['peer_recipient pn', 'recipient pn', 'peer_recipient lid', 'recipient lid']],
    ['5511999990001:99@hosted', 'sender', ['peer_recipient pn', 'recipient pn', 'peer_recipient lid', 'recipient lid']],
  ] as const) {
    const attrs = { from, id: 'M1', ...ALL }
    assert.deepEqual(otherAddresses(attrs, OWN), { sender: [`${sender} pn`, `${sender} lid`], recipient })
    dropStrangeAddresses(attrs, OWN)
    const left = { from, id: 'M1', [`${sender}_pn`]: `${sender} pn`, [`${sender}_lid`]: `${sender} lid` }
    for (const text of recipient) Object.assign(left, { [text.replace(' ', '_')]: text })
    assert.deepEqual(attrs, left)
  }
})
