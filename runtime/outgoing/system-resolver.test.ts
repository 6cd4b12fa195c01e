import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createSystemResolver } from './system-resolver.js'

type Zone = Readonly<Record<string, { readonly a?: readonly string[]; readonly aaaa?: boolean } | 'silent' | 'broken'>>

const TYPE_A = 1
const [SERVFAIL, NXDOMAIN] = [2, 3]

/** A name server on loopback that knows these names. */
async function nameServer(t: TestContext, zone: Zone) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = parseQuestion(query)
    if (type === TYPE_A) asked.push(name)
    const entry = zone[name]
    if (entry === 'silent') return
    const addresses = typeof entry === 'object' && type === TYPE_A ? (entry.a ?? []) : []
    const code = entry === undefined ? NXDOMAIN : entry === 'broken' ? SERVFAIL : 0
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const answers = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  t.after(() => socket.close())
  return { asked, server: `127.0.0.1:${socket.address().port}` }
}

function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

async function resolverOver(t: TestContext, zone: Zone, files: { hosts?: string; resolvConf?: string } = {}) {
  const { asked, server } = await nameServer(t, zone)
  const folder = await mkdtemp(path.join(tmpdir(), 'posthorn-names-'))
  t.after(() => rm(folder, { recursive: true }))
  const [hostsFile, resolvConfFile] = [path.join(folder, 'hosts'), path.join(folder, 'resolv.conf')]
  await writeFile(hostsFile, files.hosts ?? '')
  await writeFile(resolvConfFile, files.resolvConf ?? '')
  const resolver = createSystemResolver({ hostsFile, resolvConfFile, servers: [server], timeoutMs: 200 })
  t.after(() => resolver.close())
  return { asked, resolve: async (name: string) => (await resolver.resolve(name)).map(({ address }) => address) }
}

const isCode = (code: string) => (error: NodeJS.ErrnoException) => error.code === code

describe('the resolver of names', () => {
  it('asks name servers for both families, and takes what one of them gives', async (t) => {
    const { resolve } = await resolverOver(t, { 'hook.example': { a: ['192.0.2.1', '192.0.2.2'] } })
    assert.deepEqual((await resolve('Hook.Example')).toSorted(), ['192.0.2.1', '192.0.2.2'])
  })

  it('takes the hosts file first, and asks nobody for what is in it, or for localhost', async (t) => {
    const hosts = '# names\n10.1.2.3 Redis.internal redis # the store\nfd00::5 redis\nnonsense line\n'
    const { asked, resolve } = await resolverOver(t, { redis: { a: ['192.0.2.9'] } }, { hosts })
    assert.deepEqual(await resolve('redis'), ['10.1.2.3', 'fd00::5'])
    assert.deepEqual(await resolve('REDIS.internal'), ['10.1.2.3'])
    assert.deepEqual(await resolve('localhost'), ['127.0.0.1', '::1'])
    assert.deepEqual(asked, [])
  })

  it('tries search domains as resolv.conf says: after a name with enough dots, before one with fewer', async (t) => {
    const zone: Zone = {
      'receiver.apps.svc.cluster.local': { a: ['10.0.0.7'] },
      'hook.example': { a: ['192.0.2.1'] },
      'hook.example.svc.cluster.local': { a: ['10.0.0.8'] },
    }
    const resolvConf = 'nameserver 10.0.0.10\nsearch apps.svc.cluster.local svc.cluster.local\n'
    const one = await resolverOver(t, zone, { resolvConf })
    assert.deepEqual(await one.resolve('receiver'), ['10.0.0.7'])
    assert.deepEqual(await one.resolve('hook.example'), ['192.0.2.1'])
    assert.deepEqual(one.asked, ['receiver.apps.svc.cluster.local', 'hook.example'])
    const five = await resolverOver(t, zone, { resolvConf: `${resolvConf}options ndots:5 timeout:1\n` })
    assert.deepEqual(await five.resolve('hook.example'), ['10.0.0.8'])
    assert.deepEqual(five.asked, ['hook.example.apps.svc.cluster.local', 'hook.example.svc.cluster.local'])
  })

  it('says that there is no such name, that a server failed, or that it is silent', async (t) => {
    const { resolve } = await resolverOver(t, {
      'silent.example': 'silent',
      'broken.example': 'broken',
      'empty.example': {},
    })
    await assert.rejects(resolve('nobody.example'), isCode('ENOTFOUND'))
    await assert.rejects(resolve('empty.example'), isCode('ENOTFOUND'))
    await assert.rejects(resolve('broken.example'), isCode('ESERVFAIL'))
    await assert.rejects(resolve('silent.example'), isCode('ETIMEOUT'))
  })

  it('answers a name while forty others are silent', async (t) => {
    const silent = Array.from({ length: 40 }, (_, index) => `${index}.silent.example`)
    const zone = Object.fromEntries(silent.map((name) => [name, 'silent'])) as Zone
    const { resolve } = await resolverOver(t, { ...zone, 'hook.example': { a: ['192.0.2.1'] } })
    const others = Promise.allSettled(silent.map(resolve))
    let areOthersOver = false
    void others.then(() => {
      areOthersOver = true
    })
    assert.deepEqual(await resolve('hook.example'), ['192.0.2.1'])
    assert.equal(areOthersOver, false)
    await others
  })
})
