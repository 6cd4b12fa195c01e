import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BufferJSON, initAuthCreds } from '@whiskeysockets/baileys'
import { Curve, generateSignalPubKey } from '@whiskeysockets/baileys/lib/Utils/crypto.js'
import { decodeCredentials, isPaired } from './credentials.js'
import { readForeignSession } from './foreign-session.js'
import { decodeKey } from './key-codec.js'

type Json = Record<string, unknown>

const json = (value: unknown): string => JSON.stringify(value, BufferJSON.replacer)

/** Credentials as a phone has signed them, and the files that go with them. */
function aSession(): { creds: Json; files: Map<string, string> } {
  const creds = initAuthCreds()
  const account = Curve.generateKeyPair()
  const details = Buffer.from('details')
  const signed = Buffer.concat([Buffer.from([6, 0]), details, creds.signedIdentityKey.public])
  const all: Json = {
    ...creds,
    me: { id: '5511999990001:7@s.whatsapp.net', lid: '900000000000001:7@lid', name: 'Ana' },
    account: {
      details,
      accountSignatureKey: account.public,
      accountSignature: Curve.sign(account.private, signed),
      deviceSignature: Buffer.alloc(64, 1),
    },
    platform: 'android',
    additionalData: { more: 'than is used' },
  }
  const files = new Map([
    ['creds.json', json(all)],
    ['pre-key-1.json', json(Curve.generateKeyPair())],
    ['app-state-sync-key-AAAA__w==.json', json({ keyData: Buffer.alloc(32, 2).toString('base64') })],
    ['app-state-sync-version-regular.json', json({ version: 3, hash: Buffer.alloc(128), indexValueMap: {} })],
    ['identity-key-5511999990002.0.json', json(generateSignalPubKey(account.public))],
    ['lid-mapping-5511999990002.json', '"900000000000002"'],
    ['lid-mapping-900000000000002_reverse.json', '"5511999990002"'],
    ['device-list-5511999990002.json', '["0","3"]'],
    ['sender-key-memory-120363000000000001@g.us.json', '{"5511999990002@s.whatsapp.net":true}'],
    ['sender-key-5511-1600000000@g.us--5511999990002--3.json', json(Buffer.from('[]'))],
    ['tctoken-900000000000002@lid.json', json({ token: Buffer.alloc(8, 3), timestamp: '1760000000' })],
    ['session-5511999990002.0.json', '{"_sessions":{},"version":"v1"}'],
    ['store.json', '{"chats":[]}'],
  ])
  return { creds: all, files }
}

/** The part that is named when the credentials have this change. */
async function findRefusal(
  change: (creds: Json) => void,
  files?: (files: Map<string, string>) => void,
): Promise<string> {
  const session = aSession()
  const creds = JSON.parse(json(session.creds), BufferJSON.reviver) as Json
  change(creds)
  session.files.set('creds.json', json(creds))
  files?.(session.files)
  return await readForeignSession(session.files).then(
    () => 'taken',
    (error: { code?: string; details?: { field: string }[] }) =>
      error.code === 'INVALID_SESSION' ? String(error.details?.[0]?.field) : String(error),
  )
}

describe('a session of another program', () => {
  it('is taken over with its keys under the names that the library uses, and without the rest', async () => {
    const session = await readForeignSession(aSession().files)
    assert.deepEqual(session.owner, { jid: '5511999990001@s.whatsapp.net', lid: '900000000000001@lid' })
    const credentials = decodeCredentials(session.credentials)
    assert.ok(isPaired(credentials))
    assert.equal(credentials.additionalData, undefined)
    assert.deepEqual(session.keys.map(({ kind, id }) => `${kind} ${id}`).sort(), [
      'app-state-sync-key AAAA/w==',
      'device-list 5511999990002',
      'identity-key 5511999990002.0',
      'lid-mapping 5511999990002',
      'lid-mapping 900000000000002_reverse',
      'pre-key 1',
      'sender-key 5511-1600000000@g.us::5511999990002::3',
      'sender-key-memory 120363000000000001@g.us',
      'session 5511999990002.0',
      'tctoken 900000000000002@lid',
    ])
    const preKey = session.keys.find(({ kind }) => kind === 'pre-key')
    const { public: publicKey } = decodeKey('pre-key', preKey?.value ?? new Uint8Array()) as { public: Buffer }
    assert.equal(publicKey.length, 32)
    assert.deepEqual(session.mappings, [{ lid: '900000000000002@lid', pn: '5511999990002@s.whatsapp.net' }])
    assert.deepEqual([session.ignored, session.ignoredCount], [['store.json'], 1])
  })

  it('is read from texts that hold JSON texts, and from lists of bytes', async () => {
    const { files, creds } = aSession()
    files.set('creds.json', JSON.stringify(files.get('creds.json')))
    await readForeignSession(files)
    const lists = json(creds).replace(/\{"type":"Buffer","data":"([^"]*)"\}/g, (_, data: string) =>
      JSON.stringify({ type: 'Buffer', data: [...Buffer.from(data, 'base64')] }),
    )
    files.set('creds.json', lists)
    await readForeignSession(files)
  })

  it('is refused by the name of each part that is missing', async () => {
    for (const field of [
      ...['noiseKey', 'signedIdentityKey', 'signedPreKey', 'registrationId', 'advSecretKey', 'me', 'account'],
      ...['firstUnuploadedPreKeyId', 'nextPreKeyId'],
    ])
      assert.equal(await findRefusal((creds) => delete creds[field]), `creds.${field}`)
    const nothing = () => {}
    assert.equal(await findRefusal(nothing, (files) => files.delete('creds.json')), 'creds.json')
    assert.equal(await findRefusal(nothing, (files) => files.delete('pre-key-1.json')), 'pre-key-*.json')
  })

  it('is refused by the name of each part that is wrong, or of another session', async () => {
    const other = initAuthCreds()
    const account = (change: Json) => (creds: Json) => Object.assign(creds.account as Json, change)
    const set = (fields: Json) => (creds: Json) => Object.assign(creds, fields)
    const cases: [(creds: Json) => void, string][] = [
      [set({ noiseKey: { public: Buffer.alloc(31), private: Buffer.alloc(32) } }), 'creds.noiseKey.public'],
      [set({ noiseKey: { ...other.noiseKey, private: Buffer.alloc(32, 1) } }), 'creds.noiseKey'],
      [set({ signedPreKey: other.signedPreKey }), 'creds.signedPreKey.signature'],
      [set({ registrationId: '7' }), 'creds.registrationId'],
      [set({ me: { id: '5511999990001@s.whatsapp.net' } }), 'creds.me.id'],
      [set({ me: { id: 5 } }), 'creds.me.id'],
      [set({ advSecretKey: '<script>' }), 'creds.advSecretKey'],
      [account({ details: Buffer.from('others') }), 'creds.account.accountSignature'],
      [account({ deviceSignature: 7 }), 'creds.account.deviceSignature'],
      [set({ account: [] }), 'creds.account'],
    ]
    for (const [change, part] of cases) assert.equal(await findRefusal(change), part)
    const files: [string, string][] = [
      ['creds.json', '{'],
      ['creds.json', '[]'],
      ['pre-key-2.json', '{}'],
      ['pre-key-2.json', 'null'],
      ['session-a b.0.json', '{"_sessions":{},"version":"v1"}'],
      ['session-5511999990003.0.json', '[]'],
      ['session-5511999990003.0.json', '{"_sessions":{"a":{"registrationId":1}},"version":"v1"}'],
      ['sender-key-1@g.us--2--0.json', '"no base64!"'],
      ['lid-mapping-5511999990003.json', '"1@lid"'],
      ['device-list-5511999990003.json', '[{}]'],
      ['tctoken-1@lid.json', '{"token":{"length":2000000000}}'],
      ['app-state-sync-key-AA.json', '{}'],
    ]
    for (const [name, text] of files) {
      const part = await findRefusal(
        () => {},
        (all) => all.set(name, text),
      )
      assert.ok(part.startsWith(name.startsWith('creds') ? 'creds' : name), `${name} ${text}: ${part}`)
    }
  })

  it('is refused with more keys of a kind than an account has', async () => {
    const preKey = json(Curve.generateKeyPair())
    const part = await findRefusal(
      () => {},
      (files) => {
        for (let id = 0; id < 1_001; id += 1) files.set(`app-state-sync-key-${id}.json`, '{"keyData":"AAAA"}')
        files.set('pre-key-7.json', preKey)
      },
    )
    assert.equal(part, 'app-state-sync-key-*.json')
  })
})
