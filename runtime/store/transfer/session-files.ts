/** Reads the files of a session that another program has kept: from a JSON document or a tar archive, packed by gzip or not. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { exceededLimit } from '../../../lib/json-shape.js'
import { invalidSession } from '../../../schemas/session.js'

/** Maximum of bytes of all files, unpacked. A session with thousands of contacts has some megabytes. */
const UNPACKED_MAX = 64 * 2 ** 20
/** Maximum of one JSON document, which is parsed in one piece while other instances wait. */
const DOCUMENT_MAX = 8 * 2 ** 20
const FILE_MAX = 2 ** 20
const FILES_MAX = 100_000
const NAME_MAX = 300
const SHAPE = { depthMax: 32, keysMax: 200_000, valuesMax: 400_000 }
const BLOCK = 512
const FILES_PER_TURN = 100

/**
 * Resolves with the texts of the files by their names without folders.
 * @throws GatewayError INVALID_SESSION when a limit is exceeded, or the form is unknown
 */
export async function readSessionFiles(file: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, string>> {
  const given = await collect(file)
  const bytes = given[0] === 0x1f && given[1] === 0x8b ? await unpack(given) : given
  if (bytes.length > BLOCK && bytes.toString('latin1', 257, 262) === 'ustar') return await filesOfTar(bytes)
  return await filesOfJson(bytes)
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const held: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > UNPACKED_MAX) throw invalidSession('file', `is larger than ${UNPACKED_MAX} bytes unpacked`)
    held.push(part)
  }
  return Buffer.concat(held)
}

async function unpack(packed: Buffer): Promise<Buffer> {
  const gunzip = createGunzip()
  gunzip.end(packed)
  try {
    return await collect(gunzip)
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_')) throw invalidSession('file', 'is damaged')
    throw error
  } finally {
    gunzip.destroy()
  }
}

/** Reads plain files of a tar archive. Links, devices and folders are skipped; nothing is written to the disk. */
async function filesOfTar(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  let longName: string | undefined
  for (let at = 0, count = 1; at + BLOCK <= bytes.length && bytes[at] !== 0; count += 1) {
    const size = Number.parseInt(
      bytes
        .toString('latin1', at + 124, at + 136)
        .replaceAll('\0', ' ')
        .trim(),
      8,
    )
    const type = String.fromCharCode(bytes[at + 156] ?? 0)
    const start = at + BLOCK
    if (!Number.isSafeInteger(size) || size < 0 || start + size > bytes.length)
      throw invalidSession('file', 'is a damaged tar archive')
    if (count > FILES_MAX) throw invalidSession('file', `has more than ${FILES_MAX} files`)
    // GNU tar writes a long name as a file before the file.
    if (type === 'L') longName = readText(bytes, start, Math.min(size, NAME_MAX + 1))
    else {
      if (type === '0' || type === '\0') {
        // Bound: 1,000, the name of a file.
        const name = (longName ?? readText(bytes, at, 100)).split('/').at(-1) ?? ''
        addFile(files, name, bytes.subarray(start, start + size))
      }
      longName = undefined
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK
    if (count % FILES_PER_TURN === 0) await nextTurn()
  }
  return files
}

function readText(bytes: Buffer, start: number, length: number): string {
  const text = bytes.toString('utf8', start, start + length)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

function addFile(files: Map<string, string>, name: string, content: Buffer): void {
  if (!name.endsWith('.json')) return
  if (name.length > NAME_MAX) throw invalidSession('file', `has a name of more than ${NAME_MAX} characters`)
  if (content.length > FILE_MAX) throw invalidSession(name, `is larger than ${FILE_MAX} bytes`)
  if (exceededLimit(content, SHAPE) !== null) throw invalidSession(name, 'has too many values or levels')
  if (files.has(name)) throw invalidSession(name, 'is there twice')
  files.set(name, content.toString('utf8'))
}

/** Reads `{"creds.json": …}`, or `{"creds": …, "keys": {"<kind>": {"<id>": …}}}`. Values may be JSON texts. */
async function filesOfJson(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  if (bytes.length > DOCUMENT_MAX)
    throw invalidSession(
      'file',
      `is a JSON document of more than ${DOCUMENT_MAX} bytes; send the folder as a tar archive`,
    )
  if (exceededLimit(bytes, SHAPE) !== null) throw invalidSession('file', 'has too many values or levels')
  const { keys, ...rest } = parseObject(bytes.toString('utf8'))
  const named = Object.entries(rest)
  if (isObject(keys))
    for (const [kind, values] of Object.entries(keys))
      for (const [id, value] of Object.entries(isObject(values) ? values : {})) named.push([`${kind}-${id}`, value])
  if (named.length > FILES_MAX) throw invalidSession('file', `has more than ${FILES_MAX} files`)
  const files = new Map<string, string>()
  for (const [index, [name, value]] of named.entries()) {
    const content = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    addFile(files, name.endsWith('.json') ? name : `${name}.json`, content)
    if (index % FILES_PER_TURN === 0) await nextTurn()
  }
  return files
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    // Ours: a file that the administrator brings; its values are counted before.
    value = JSON.parse(text)
  } catch {
    throw invalidSession('file', 'is neither a JSON document nor a tar archive')
  }
  if (!isObject(value)) throw invalidSession('file', 'must hold an object with the files of the session')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
