/** Promises of every storage; each kind runs them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { testFolder } from '../../test/support/embedded.js'
import { startS3 } from '../../test/support/s3-server.js'
import { createDiskStorage } from './disk-storage.js'
import { createS3Storage, type S3Settings } from './s3-storage.js'
import type { Storage } from './storage.js'

interface Scene {
  readonly storage: Storage
  /** Takes away what the files are on, and brings it back. */
  readonly leave: () => Promise<void> | void
  readonly comeBack: () => Promise<void> | void
}

const kinds: Readonly<Record<string, (t: TestContext) => Promise<Scene>>> = {
  async disk(t) {
    const folder = path.join(testFolder(t), 'media')
    return {
      storage: await createDiskStorage(folder),
      leave: () => renameSync(folder, `${folder}-away`),
      comeBack: () => renameSync(`${folder}-away`, folder),
    }
  },
  async S3(t) {
    const server = await startS3(t)
    const settings = { endpoint: server.endpoint, region: 'us-east-1', bucket: 'files', prefix: 'p/', pathStyle: true }
    const storage = await createS3Storage({ ...settings, accessKey: 'S3RVER', secretKey: 'S3RVER' })
    t.after(() => storage.close())
    return { storage, leave: () => server.stop(), comeBack: () => server.start() }
  },
}

const refusedBy = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code

for (const [kind, open] of Object.entries(kinds)) {
  describe(`the storage of files: ${kind}`, () => {
    const given = (t: TestContext, bytes: Buffer): string => {
      const file = path.join(testFolder(t), 'given')
      writeFileSync(file, bytes)
      return file
    }
    const readBytes = async (storage: Storage, name: string): Promise<Buffer> => {
      const parts: Buffer[] = []
      for await (const part of await storage.read(name)) parts.push(part as Buffer)
      return Buffer.concat(parts)
    }

    it('returns a stored file, removes it from its former place, and deletes it on request', async (t) => {
      const { storage } = await open(t)
      for (const durable of [true, false]) {
        const bytes = randomBytes(3_000_000)
        const file = given(t, bytes)
        await storage.put('outgoing/i1/abc', file, { durable })
        assert.equal(existsSync(file), false)
        assert.ok((await readBytes(storage, 'outgoing/i1/abc')).equals(bytes))
      }
      await storage.delete(['outgoing/i1/abc', 'outgoing/i1/never-there'])
      await assert.rejects(readBytes(storage, 'outgoing/i1/abc'), refusedBy('MEDIA_FILE_GONE'))
    })

    it('away, it says so and leaves what it was to take; back, it has what it had', async (t) => {
      const { storage, leave, comeBack } = await open(t)
      const bytes = randomBytes(1_000)
      await storage.put('a/b', given(t, bytes), { durable: false })
      await leave()
      const file = given(t, bytes)
      await assert.rejects(storage.put('a/c', file, { durable: true }), refusedBy('MEDIA_STORAGE_UNAVAILABLE'))
      assert.ok(existsSync(file))
      await assert.rejects(readBytes(storage, 'a/b'), refusedBy('MEDIA_STORAGE_UNAVAILABLE'))
      await comeBack()
      assert.ok((await readBytes(storage, 'a/b')).equals(bytes))
      await storage.put('a/c', file, { durable: true })
    })

    it('takes no name that leads out of it', async (t) => {
      const { storage } = await open(t)
      for (const name of ['../a', '/a', 'a//b', '', 'a/../b', 'a/.hidden', 'a b'])
        await assert.rejects(storage.read(name), name)
    })
  })
}

describe('a bucket', () => {
  const scene = async (t: TestContext, more: Partial<S3Settings>) => {
    const { endpoint } = await startS3(t)
    const pair = { region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' }
    const settings = { endpoint, bucket: 'files', prefix: 'p/', pathStyle: true, ...pair }
    const [right, wrong] = [await createS3Storage(settings), await createS3Storage({ ...settings, ...more })]
    t.after(() => {
      right.close()
      wrong.close()
    })
    return { right, wrong }
  }
  const stored = async (t: TestContext, storage: Storage, name: string) => {
    const file = path.join(testFolder(t), 'given')
    writeFileSync(file, 'bytes')
    await storage.put(name, file, { durable: true })
    return file
  }

  for (const [what, more] of Object.entries({
    secret: { secretKey: 'S3RVER-' },
    'access key': { accessKey: 'S3RVER-' },
    region: { region: 'eu-west-1' },
  }))
    it(`stores, returns and deletes nothing under a wrong ${what}`, async (t) => {
      const { right, wrong } = await scene(t, more)
      await stored(t, right, 'outgoing/i1/a')
      await assert.rejects(stored(t, wrong, 'outgoing/i1/b'), refusedBy('MEDIA_STORAGE_UNAVAILABLE'))
      await assert.rejects(wrong.read('outgoing/i1/a'), refusedBy('MEDIA_STORAGE_UNAVAILABLE'))
      await assert.rejects(wrong.delete(['outgoing/i1/a']), refusedBy('MEDIA_STORAGE_UNAVAILABLE'))
      await assert.rejects(right.read('outgoing/i1/b'), refusedBy('MEDIA_FILE_GONE'))
      assert.ok(await right.read('outgoing/i1/a'))
    })
})
