import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { proto } from '@whiskeysockets/baileys'
import { packageRoot } from '../lib/package-root.js'
import { growingCaches, lazyClasses, OF_LODASH, withoutModules, withoutStacks } from './lean-libraries.js'

type Proto = typeof proto
/** Methods of the library's retry manager that the test calls. */
interface Retries {
  addRecentMessage(to: string, id: string, message: object): void
  getRecentMessage(to: string, id: string): object | undefined
  clear(): void
}
type Things = Readonly<Record<string, unknown>>

const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-lean-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [protocol, retries, generics, bridge] = [
  '@whiskeysockets/baileys/WAProto/index.js',
  '@whiskeysockets/baileys/lib/Utils/message-retry-manager.js',
  '@whiskeysockets/baileys/lib/Utils/generics.js',
  'whatsapp-rust-bridge',
].map((name) => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')) as [string, string, string, string]

describe('lean libraries', () => {
  it('define the same classes and enumerations of the protocol, with the same methods', async () => {
    const lean = await leanProtocol()
    let compared = 0
    const compare = (ours: Things, theirs: Things, where: string): void => {
      const names = Object.keys(theirs).filter((name) => /^[A-Z]/.test(name))
      assert.deepEqual(Object.keys(ours).toSorted(), Object.keys(theirs).toSorted(), where)
      for (const name of names) {
        const [mine, other] = [ours[name], theirs[name]]
        if (typeof other === 'function') {
          const fields = Object.keys((mine as { prototype: object }).prototype)
          assert.deepEqual(fields, Object.keys((other as { prototype: object }).prototype), `${where}.${name}`)
        }
        if (typeof other === 'function' || typeof other === 'object')
          compare(mine as Things, other as Things, `${where}.${name}`)
        else assert.deepEqual(mine, other, `${where}.${name}`)
        compared += 1
      }
    }
    compare(lean as unknown as Things, proto as unknown as Things, 'proto')
    assert.ok(compared > 600, `${compared} were compared`)
  })

  it('encode, decode and convert messages as the library does', async () => {
    const lean = await leanProtocol()
    const text = { text: 'hello', contextInfo: { stanzaId: 'A', quotedMessage: { conversation: 'hi' }, expiration: 7 } }
    const image = { url: 'https://example.org', mediaKey: Buffer.alloc(32, 1), fileLength: 2 ** 40, caption: 'a' }
    const messages: proto.IMessage[] = [
      { extendedTextMessage: text, messageContextInfo: { messageSecret: Buffer.alloc(32, 2) } },
      { imageMessage: image },
      { pollCreationMessageV3: { name: 'q', options: [{ optionName: 'a' }, { optionName: 'b' }] } },
      { protocolMessage: { type: proto.Message.ProtocolMessage.Type.REVOKE, key: { id: 'A', fromMe: true } } },
    ]
    for (const message of messages) {
      const bytes = proto.Message.encode(message).finish()
      assert.deepEqual(Buffer.from(lean.Message.encode(message).finish()), Buffer.from(bytes))
      assert.deepEqual(asJson(lean.Message.decode(bytes)), asJson(proto.Message.decode(bytes)))
      const [mine, other] = [lean, proto].map(({ Message }) =>
        Message.toObject(Message.fromObject(message), { longs: String, enums: String, bytes: String, defaults: true }),
      )
      assert.deepEqual(asJson(mine), asJson(other))
    }
    const info = { key: { remoteJid: 'a@s.whatsapp.net', id: 'B' }, message: messages[0] ?? {}, messageTimestamp: 5 }
    const history = {
      syncType: proto.HistorySync.HistorySyncType.RECENT,
      conversations: [{ id: 'a', messages: [{ message: info }] }],
    }
    const bytes = proto.HistorySync.encode(history).finish()
    assert.deepEqual(asJson(lean.HistorySync.decode(bytes)), asJson(proto.HistorySync.decode(bytes)))
    const seen = new lean.Message.ProtocolMessage(messages[3]?.protocolMessage ?? {})
    assert.equal(seen instanceof lean.Message.ProtocolMessage, true)
  })

  it('keep the newest entries of a cache that grows', async () => {
    const file = path.join(folder, 'retries.mjs')
    const library = import.meta.resolve('lru-cache')
    writeFileSync(file, growingCaches(retries).replace("'lru-cache'", JSON.stringify(library)))
    const { MessageRetryManager } = (await import(pathToFileURL(file).href)) as {
      MessageRetryManager: new (logger: object, max: number) => Retries
    }
    const manager = new MessageRetryManager({ debug() {}, trace() {} }, 5)
    for (let index = 0; index < 600; index += 1) manager.addRecentMessage('to', `M${index}`, {})
    const isKept = (id: string) => manager.getRecentMessage('to', id) !== undefined
    assert.deepEqual(['M87', 'M88', 'M599'].map(isKept), [false, true, true])
    manager.clear()
  })

  it('reject a request that takes too long, with the code of the library', async () => {
    const base = new URL('.', import.meta.resolve('@whiskeysockets/baileys/lib/Utils/generics.js')).href
    const file = path.join(folder, 'generics.mjs')
    const absolute = (text: string) =>
      text.replaceAll(/from '([^']+)'/g, (_, name: string) => {
        const url = name.startsWith('.') ? new URL(name, base).href : import.meta.resolve(name)
        return `from ${JSON.stringify(url)}`
      })
    writeFileSync(file, absolute(withoutStacks(generics)))
    const { promiseTimeout } = (await import(pathToFileURL(file).href)) as {
      promiseTimeout<T>(ms: number, work: (resolve: (value: T) => void) => void): Promise<T>
    }
    const failure = await promiseTimeout(1, () => {}).catch((error: unknown) => error)
    const { message, output } = failure as { message: string; output: { statusCode: number } }
    assert.deepEqual([message, output.statusCode], ['Timed Out', 408])
    assert.equal(await promiseTimeout(10_000, (resolve) => resolve('answered')), 'answered')
  })

  it('have each function of Lodash that Bull uses', () => {
    const lib = path.join(path.dirname(fileURLToPath(import.meta.resolve('bull'))), 'lib')
    const texts = readdirSync(lib).flatMap((name) =>
      name.endsWith('.js') ? [readFileSync(path.join(lib, name), 'utf8')] : [],
    )
    const used = new Set(texts.flatMap((text) => [...text.matchAll(/\b_\.(\w+)/g)].map(([, name = '']) => name)))
    assert.deepEqual([...used].toSorted(), [...OF_LODASH, 'chain'].toSorted())
  })

  it('keep both modules of WebAssembly, in files', () => {
    const { text, modules } = withoutModules(bridge)
    assert.ok(text.length < bridge.length / 4, `${text.length} characters are left of ${bridge.length}`)
    assert.equal(modules.size, 2)
    for (const [name, bytes] of modules) {
      assert.ok(text.includes(`"./${name}"`))
      assert.ok(isModule(bytes))
    }
  })

  it('stop the build when a library has another form', () => {
    assert.throws(() => lazyClasses(protocol.replaceAll('(function() {', '(() => {')), /another form/)
    assert.throws(() => lazyClasses(protocol.replace('// Virtual OneOf', '// OneOf')), /another form/)
    assert.throws(() => growingCaches(retries.replace('max: 1024', 'maximum: 1024')), /another form/)
    assert.throws(() => withoutStacks(generics.replace('new Error().stack', 'stackNow()')), /another form/)
    assert.throws(() => withoutModules('const nothing = 1'), /another form/)
  })
})

let loaded: Promise<Proto> | undefined

/** Imports what the build makes of the protocol. */
function leanProtocol(): Promise<Proto> {
  loaded ??= (async () => {
    const file = path.join(folder, 'protocol.mjs')
    const library = pathToFileURL(path.join(packageRoot, 'node_modules', 'protobufjs', 'minimal.js')).href
    const { text, name, classes } = lazyClasses(protocol)
    writeFileSync(path.join(folder, name), classes)
    writeFileSync(file, text.replace('"protobufjs/minimal.js"', JSON.stringify(library)))
    return ((await import(pathToFileURL(file).href)) as { proto: Proto }).proto
  })()
  return loaded
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function isModule(bytes: Buffer): boolean {
  // The types of Node.js have none for it.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(bytes: Uint8Array): boolean } }
  return WebAssembly.validate(bytes)
}
