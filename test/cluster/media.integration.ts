import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type S3Server, startS3 } from '../support/s3-server.js'
import { jpeg } from '../support/samples.js'
import { connectDatabase } from '../support/statements.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const ANA = '15550460001'
const BEN = '15550460002'
/** Shared locks of nodes that do not store files on their own disk (`runtime/store/storage-lock.ts`). */
const STORAGE_LOCKS = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x6469736b} AND mode = 'ShareLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('files in a folder that the nodes share', () => {
  const cleanup = suiteCleanup()

  it('are sent by the owner although another node has stored them; a node with another folder does not start', async () => {
    const env = { MEDIA_STORAGE: 'shared', MEDIA_FOLDER: testFolder(cleanup) }
    const cluster = await startCluster(cleanup, { nodes: 2, env })
    await cluster.phone(BEN, 'Ben')
    const ana = await cluster.paired(ANA, 'Ana')
    const picture = await jpeg(60, 40)
    const body = { number: BEN, type: 'image', file: picture.toString('base64') }
    for (const node of cluster.nodes) {
      const sent = await node.call<{ messageid: string }>('POST', '/send/media', { token: ana.token, body })
      assert.equal(sent.status, 200, JSON.stringify(sent.body))
      const [message] = await eventually(
        () => cluster.network<{ media: ShownMedia[] }[]>('GET', `/phones/${BEN}/messages?id=${sent.body.messageid}`),
        (found) => found.length > 0,
      )
      assert.equal(message?.media.length, 1)
    }
    await assert.rejects(cluster.addNode({ MEDIA_FOLDER: testFolder(cleanup) }), /is not the folder of the other nodes/)
  })
})

describe('files on the disk of one node', () => {
  const cleanup = suiteCleanup()

  it('stay with that node and are sent, when another node starts while it is without PostgreSQL', async () => {
    const cluster = await startCluster(cleanup, { nodes: 1, env: { MEDIA_STORAGE: 'disk' } })
    const [first] = cluster.nodes
    assert.ok(first)
    await cluster.phone(BEN, 'Ben')
    const ana = await cluster.paired(ANA, 'Ana')
    await cluster.network('POST', '/faults', { kind: 'media-upload', code: 500 })
    const file = randomBytes(30_000)
    const body = { number: BEN, type: 'document', file: file.toString('base64') }
    const sendThrough = (node: ClusterNode, isQueued: boolean) =>
      node.call<Json>('POST', '/send/media', { token: ana.token, body: { ...body, async: isQueued } })
    const queued = await sendThrough(first, true)
    assert.equal(queued.body.status, 'queued')

    first.links.database.cut()
    const second = await cluster.addNode()
    const shards = await cluster.shards()
    first.links.database.mend()
    const figure = async (node: ClusterNode, name: string) =>
      Number((await node.call<string>('GET', '/metrics')).body.match(new RegExp(`^${name} (\\d+)`, 'm'))?.[1])
    await eventually(async () => (await figure(first, 'posthorn_file_storage_taken')) === 1)
    assert.match(first.output(), /This node no longer accepts files\. .* another node runs on this database/)
    const refused = await sendThrough(first, false)
    assert.deepEqual(
      [refused.status, refused.body.code],
      [503, 'MEDIA_STORAGE_UNAVAILABLE'],
      first.output().slice(-2_000),
    )
    assert.match(String(refused.body.error), /this one takes none; nothing was accepted/)

    // Texts continue, and the other node asks for instances in vain: the queued file would not be there.
    const text = { number: BEN, text: 'still here' }
    assert.equal((await second.call('POST', '/send/text', { token: ana.token, body: text })).status, 200)
    const isRefused = 'posthorn_shard_moves_total\\{direction="taken",cause="pull",outcome="refused"\\}'
    await eventually(async () => (await figure(second, isRefused)) > 0)
    assert.deepEqual(await cluster.shards(), shards)
    await cluster.network('DELETE', '/faults')
    await ana.call('POST', '/instance/reset', {})
    const [message] = await eventually(
      () => cluster.network<{ media: ShownMedia[] }[]>('GET', `/phones/${BEN}/messages?id=${queued.body.messageid}`),
      (found) => found.length > 0,
    )
    assert.deepEqual(
      message?.media.map(({ sha256: hash }) => hash),
      [sha256(file)],
    )

    await second.kill()
    await eventually(async () => (await figure(first, 'posthorn_file_storage_taken')) === 0)
    assert.equal((await sendThrough(first, false)).status, 200)
  })
})

describe('files, through a node that is not the owner, with an S3 service', () => {
  const cleanup = suiteCleanup()
  let s3: S3Server
  let cluster: Cluster
  let ana: TestInstance
  let owner: ClusterNode
  let other: ClusterNode
  before(async () => {
    s3 = await startS3(cleanup)
    const env = { RECONNECT_DELAY_MAX_MS: '500', MEDIA_STORAGE: 's3', ...s3.env }
    cluster = await startCluster(cleanup, { nodes: 2, env })
    await cluster.phone(BEN, 'Ben')
    ana = await cluster.paired(ANA, 'Ana')
    const logins = await cluster.network<{ node: string | null }[]>('GET', `/log/logins?phone=${ANA}`)
    const name = logins.at(-1)?.node
    owner = cluster.nodes.find((node) => node.name === name) as ClusterNode
    other = cluster.nodes.find((node) => node.name !== name) as ClusterNode
  })

  const through = async (node: ClusterNode, path: string, body: Json) =>
    await node.call<Json & { fileURL: string }>('POST', path, { token: ana.token, body })
  const shown = async (id: unknown) => {
    const [message] = await eventually(
      () => cluster.network<{ media: ShownMedia[]; arrivals: number }[]>('GET', `/phones/${BEN}/messages?id=${id}`),
      (found) => found.length > 0,
    )
    const media = message?.media ?? []
    return { arrivals: message?.arrivals, hashes: media.map(({ sha256: hash }) => hash), media }
  }
  const isShown = async (id: unknown, expected: readonly string[]) => {
    const { arrivals, hashes } = await shown(id)
    assert.deepEqual({ arrivals, hashes }, { arrivals: 1, hashes: expected })
  }
  /** How many files wait in it; null while it changes: a folder goes with its last file, also under one who reads it. */
  const inStorage = () => {
    try {
      return readdirSync(s3.folder, { recursive: true, withFileTypes: true }).filter(
        (entry) =>
          entry.isFile() && `${entry.parentPath}/${entry.name}`.includes('outgoing') && /_object$/.test(entry.name),
      ).length
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  it('a picture is sent, and nothing of it stays in the storage', async () => {
    const file = await jpeg()
    const answer = await through(other, '/send/media', { number: BEN, type: 'image', file: file.toString('base64') })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await isShown(answer.body.messageid, [sha256(file)])
    await eventually(inStorage, (count) => count === 0)
  })

  it('the pictures of a carousel are sent, and nothing of them stays in the storage', async () => {
    const [first, second] = [await jpeg(40, 30), await jpeg(50, 40)]
    const choices = [first, second].flatMap((file, index) => [`[${index}]`, `{${file.toString('base64')}}`, 'Yes'])
    const body = { number: BEN, type: 'carousel', text: 'Look', choices }
    const answer = await through(other, '/send/menu', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await isShown(answer.body.messageid, [sha256(first), sha256(second)])
    await eventually(inStorage, (count) => count === 0)
    for (const node of [other, owner]) {
      const asked = { id: answer.body.messageid, card: 2, return_base64: true }
      assert.equal((await through(node, '/message/download', asked)).body.base64Data, second.toString('base64'))
    }
  })

  it('the large picture of a link preview is sent, and nothing of it stays in the storage', async () => {
    const linkPreviewImage = (await jpeg(300, 200)).toString('base64')
    const preview = { linkPreview: true, linkPreviewLarge: true, linkPreviewTitle: 'Mine', linkPreviewImage }
    const body = { number: BEN, text: 'see https://a.example/', ...preview }
    const answer = await through(other, '/send/text', body)
    assert.deepEqual([answer.status, answer.body.warnings], [200, undefined], JSON.stringify(answer.body))
    const [file] = (await shown(answer.body.messageid)).media
    assert.deepEqual([file?.kind, file?.error, file?.width, file?.height], ['preview', null, 300, 200])
    await eventually(inStorage, (count) => count === 0)
  })

  it('a received file is given by either node, also when the network has it no more, and by a link of the other', async () => {
    const bytes = randomBytes(100_000)
    const { id } = await cluster.network<{ id: string }>('POST', `/phones/${BEN}/media`, {
      to: ANA,
      kind: 'document',
      base64: bytes.toString('base64'),
    })
    await eventually(
      () => through(other, '/message/download', { id }),
      ({ status }) => status !== 404,
    )
    await cluster.network('POST', '/media/expire', {})
    const { body } = await through(other, '/message/download', { id })
    for (const node of [owner, other]) {
      const given = await fetch(new URL(new URL(body.fileURL).pathname, node.url))
      assert.equal(given.status, 200)
      assert.ok(Buffer.from(await given.arrayBuffer()).equals(bytes))
    }
  })

  it('refuses files while the storage is away, and sends queued ones when it returns', async () => {
    const queued = randomBytes(30_000)
    await cluster.network('POST', '/faults', { kind: 'media-upload', code: 500 })
    const body = { number: BEN, type: 'document', async: true }
    const accepted = await through(other, '/send/media', { ...body, file: queued.toString('base64') })
    assert.equal(accepted.body.status, 'queued')
    await s3.stop()
    await cluster.network('DELETE', '/faults')
    const refused = await through(other, '/send/media', { ...body, file: randomBytes(30_000).toString('base64') })
    assert.deepEqual([refused.status, refused.body.code], [503, 'MEDIA_STORAGE_UNAVAILABLE'])
    await s3.start()
    await ana.call('POST', '/instance/reset', {})
    await isShown(accepted.body.messageid, [sha256(queued)])
  })

  it('a queued file is sent by the node that takes over, when its owner dies before it has brought it to the network', async () => {
    const file = randomBytes(60_000)
    await cluster.network('POST', '/faults', { kind: 'media-upload', code: 500 })
    const body = { number: BEN, type: 'document', async: true, file: file.toString('base64') }
    const accepted = await through(other, '/send/media', body)
    assert.equal(accepted.body.status, 'queued')
    const picture = await jpeg(40, 30)
    const imageButton = picture.toString('base64')
    const menu = { number: BEN, type: 'button', text: 'Which?', choices: ['Yes'], async: true, imageButton }
    const withPicture = await through(other, '/send/menu', menu)
    assert.equal(withPicture.body.status, 'queued')
    await owner.kill('SIGKILL')
    await cluster.network('DELETE', '/faults')
    await isShown(accepted.body.messageid, [sha256(file)])
    await isShown(withPicture.body.messageid, [sha256(picture)])
  })

  it('a node that stores files on its own disk is refused beside others, with the way out', async () => {
    // A node whose session with PostgreSQL has ended takes its lock again in a moment.
    const database = await connectDatabase(cleanup, other.databaseUrl)
    await eventually(async () => (await database.query(STORAGE_LOCKS)).rowCount)
    const { code, output } = await other.startSecond({ MEDIA_STORAGE: 'disk', MEDIA_S3_BUCKET: '', NODE_ID: 'n9' })
    assert.notEqual(code, 0)
    assert.match(
      output,
      /Files are stored on this node's own disk .* another node runs on this database\. .*or MEDIA_S3_BUCKET/,
    )
    assert.doesNotMatch(output, /\n\s+at /)
  })
})
